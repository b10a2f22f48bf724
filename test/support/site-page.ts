/** Reads a page of the site as a program would: its links, anchors, texts and schema.org objects. */
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';

/** A page as a browser reads it. */
export interface SitePage {
  /** Every address in `href`, `src` and `action` as the page writes it, with the name of the element. */
  readonly addresses: readonly { readonly element: string; readonly url: string }[];
  /** The IDs of the elements, in their order. */
  readonly ids: readonly string[];
  /** Returns the texts of all elements with this name, with single spaces as white space. */
  texts(element: string): string[];
  /**
   * Returns the attribute `name` of the first `element` with the attributes `where`, or undefined if there is none. Attributes have
   * their names in hast, such as `className`.
   */
  attribute(element: string, where: Readonly<Record<string, string>>, name: string): string | undefined;
  /** The parsed content of each `application/ld+json`. */
  readonly jsonLd: readonly Record<string, unknown>[];
  /**
   * Names in hast, such as `onClick`, of attributes that a Content-Security-Policy without inline code would ignore, and `<style>`
   * or `<script>` for such elements.
   */
  readonly inline: readonly string[];
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
  const named = (name: string) => elements.filter(({ tagName }) => tagName === name);
  const value = (node: Node, name: string): string | undefined => {
    const found = node.properties?.[name];
    if (found === undefined || found === null || found === false) return undefined;
    return Array.isArray(found) ? found.join(' ') : String(found);
  };
  return {
    addresses: elements.flatMap((node) =>
      ['href', 'src', 'action'].flatMap((name) => {
        const url = value(node, name);
        return url === undefined ? [] : [{ element: node.tagName ?? '', url }];
      }),
    ),
    ids: elements.flatMap((node) => value(node, 'id') ?? []),
    texts: (name) => named(name).map((node) => readText(node).replace(/\s+/g, ' ').trim()),
    attribute: (name, where, wanted) => {
      const found = named(name).find((node) => Object.entries(where).every(([key, text]) => value(node, key) === text));
      return found === undefined ? undefined : value(found, wanted);
    },
    jsonLd: named('script')
      .filter((node) => value(node, 'type') === 'application/ld+json')
      .map((node) => JSON.parse(readText(node))),
    inline: elements.flatMap((node) => [
      ...(node.tagName === 'style' ? ['<style>'] : []),
      ...(node.tagName === 'script' && value(node, 'src') === undefined && value(node, 'type') !== 'application/ld+json'
        ? ['<script>']
        : []),
      ...Object.keys(node.properties ?? {}).filter((name) => name === 'style' || /^on[A-Z]/.test(name)),
    ]),
  };
}

const readText = (node: Node): string => node.value ?? (node.children ?? []).map(readText).join('');
