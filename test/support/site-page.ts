/** Parses the HTML of a page of the site, and returns its links, IDs, texts and schema.org objects. */
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';

/** A page as a browser reads it. */
export interface SitePage {
  /** Every address in `href`, `src` and `action` as the page writes it, with the name of the element. */
  readonly addresses: readonly { readonly element: string; readonly url: string }[];
  /** The IDs of the elements, in their order. */
  readonly ids: readonly string[];
  /** Returns the texts of all elements with this name, with single spaces as white space. */
  getTexts(element: string): string[];
  /**
   * Returns the attribute `name` of the first `element` with the attributes `where`, or undefined if there is none. Attributes have
   * their names in hast, such as `className`.
   */
  getAttribute(element: string, where: Readonly<Record<string, string>>, name: string): string | undefined;
  /** The parsed content of each `application/ld+json`. */
  readonly jsonLd: readonly Record<string, unknown>[];
  /**
   * Names in hast, such as `onClick`, of attributes that a Content-Security-Policy without inline code would ignore, and `<style>`
   * or `<script>` for such elements.
   */
  readonly inlineCode: readonly string[];
}

interface Node {
  readonly type: string;
  readonly tagName?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly children?: readonly Node[];
  readonly value?: string;
}

const parser = unified().use(rehypeParse);

/** Parses a page. Throws a SyntaxError if a script of the type `application/ld+json` is no JSON. */
export function readPage(html: string): SitePage {
  const elements: Node[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'element') elements.push(node);
    for (const child of node.children ?? []) visit(child);
  };
  visit(parser.parse(html));
  const findElements = (name: string) => elements.filter(({ tagName }) => tagName === name);
  const getValue = (node: Node, name: string): string | undefined => {
    const property = node.properties?.[name];
    if (property === undefined || property === null || property === false) return undefined;
    return Array.isArray(property) ? property.join(' ') : String(property);
  };
  return {
    addresses: elements.flatMap((node) =>
      ['href', 'src', 'action'].flatMap((name) => {
        const url = getValue(node, name);
        return url === undefined ? [] : [{ element: node.tagName ?? '', url }];
      }),
    ),
    ids: elements.flatMap((node) => getValue(node, 'id') ?? []),
    getTexts: (name) => findElements(name).map((node) => readText(node).replace(/\s+/g, ' ').trim()),
    getAttribute: (name, where, attributeName) => {
      const match = findElements(name).find((node) =>
        Object.entries(where).every(([key, text]) => getValue(node, key) === text),
      );
      return match === undefined ? undefined : getValue(match, attributeName);
    },
    jsonLd: findElements('script')
      .filter((node) => getValue(node, 'type') === 'application/ld+json')
      .map((node) => JSON.parse(readText(node))),
    inlineCode: elements.flatMap((node) => [
      ...(node.tagName === 'style' ? ['<style>'] : []),
      ...(node.tagName === 'script' &&
      getValue(node, 'src') === undefined &&
      getValue(node, 'type') !== 'application/ld+json'
        ? ['<script>']
        : []),
      ...Object.keys(node.properties ?? {}).filter((name) => name === 'style' || /^on[A-Z]/.test(name)),
    ]),
  };
}

const readText = (node: Node): string => node.value ?? (node.children ?? []).map(readText).join('');
