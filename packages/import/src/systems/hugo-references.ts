/** What Hugo’s shortcodes refer to: pages, files of the site, images next to a page. */
import { posix } from 'node:path';
import * as blocks from '../blocks.ts';
import { attribute, block, nothing } from '../elements.ts';
import { codeBlock } from '../handlers.ts';
import type { Conversion, Handler } from '../site.ts';

/** A picture of the page's own bundle, found by the beginning of its name. */
export const bundled: Handler = (element, page) => {
  const name = attribute(element, '0', 'src') ?? '';
  const folder = posix.dirname(page.file);
  const file = page.tree.files.find(
    (path) =>
      posix.dirname(path) === folder &&
      posix.basename(path).includes(name.replace(/[*]/g, '')) &&
      /\.(?:png|jpe?g|gif|webp|svg)$/.test(path),
  );
  if (file === undefined) {
    page.say(element, `the image \`${name}\` is not next to the page; it is left out.`);
    return nothing;
  }
  const caption = blocks.oneLine(page.content(element));
  return block(`![${caption.replace(/[[\]]/g, '')}](/@file/${file})${caption === '' ? '' : `\n\n_${caption}_`}`);
};

/** The file of the page that `ref` and `relref` mean: next to this one, from the root of the content, or only by its name. */
export function referenced(written: string, page: Conversion, root: string): string {
  const [path = '', anchor] = written.split('#');
  const end = anchor === undefined ? '' : `#${anchor}`;
  if (path === '') return end === '' ? '/' : end;
  const plain = path.replace(/\/$/, '');
  const tries = plain.startsWith('/')
    ? [posix.join(root, plain)]
    : [posix.join(posix.dirname(page.file), plain), posix.join(root, plain)];
  const ends = ['', '.md', '/_index.md', '/index.md'];
  const found =
    tries.flatMap((place) => ends.map((part) => `${place}${part}`)).find((place) => page.tree.has(place)) ??
    page.tree.files.find(
      (file) => file.startsWith(`${root}/`) && ends.some((part) => file.endsWith(`/${plain}${part}`)),
    );
  return found === undefined ? `/@file/${plain}${end}` : `/@file/${found}${end}`;
}

/** Text of another file, as markdown or as code. */
export const readFile =
  (root: string): Handler =>
  (element, page) => {
    const name = attribute(element, 'file', '0') ?? '';
    const places = name.startsWith('/')
      ? [name.slice(1), posix.join(root, name)]
      : [posix.join(posix.dirname(page.file), name), posix.join(root, name), name];
    const file = places.find((place) => page.tree.has(place));
    if (file === undefined) {
      page.say(element, `the file \`${name}\` is not in the folder; it is left out.`);
      return nothing;
    }
    if (attribute(element, 'code') === 'true')
      return codeBlock(page, attribute(element, 'lang') ?? '', (page.tree.text(file) ?? '').trimEnd());
    return block(page.include(file) ?? '');
  };
