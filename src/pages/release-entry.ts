/** Renders one release as a part of a page: its entry in a list, its labels, its signatures and its Markdown. */
import { html, raw } from 'hono/html';
import type { Release } from '../catalog/catalog.ts';
import { dayInWords, joinFacts } from '../content/facts.ts';
import { isExampleKey } from '../feed/example-key.ts';
import { joinBlocks } from '../operations/markdown.ts';
import type { Markup } from './components/attributes.ts';
import { type Download, listDownloads, ReleaseDownloads, writeAbout, writeDownloads } from './downloads.ts';
import { renderAnchor, renderProse, writeNotes } from './prose.ts';
import {
  getReleaseDay,
  getReleaseName,
  getReleasePath,
  listReleaseFacts,
  listReleaseLabels,
  writeNotesOrLink,
} from './release-words.ts';
import type { Site } from './site.ts';

/** Renders a release in a list, with its day and requirements next to its notes. `id` is the anchor of its heading. */
export async function ReleaseEntry(site: Site, release: Release, id: string): Promise<Markup> {
  const notes = await renderProse(site, writeNotesOrLink(site, release), { topLevel: 3, hasAnchors: false });
  const day = getReleaseDay(release);
  const isLatest = site.catalog.latest?.id === release.id;
  const [, ...facts] = listReleaseFacts(site, release);
  return html`<section class="release" aria-labelledby="${id}"><div class="when">
<h2 id="${id}"><a href="${site.root}${getReleasePath(release)}">${getReleaseName(release)}</a>${isLatest && html`&ensp;<span class="mark new">${site.words.latest}</span>`}${ReleaseLabels(site, release)}</h2>
${day && html`<p><time datetime="${day}">${dayInWords(day, site.language)}</time></p>`}
<p class="facts">${joinFacts(facts)}</p>
${ReleaseDownloads(site, release)}</div>
<div class="notes">${raw(notes)}</div></section>`;
}

/** Renders the labels of a release, such as its channel, each after a space; an empty array if it has none. */
export const ReleaseLabels = (site: Site, release: Release): Markup[] =>
  listReleaseLabels(site, release).map(
    ({ text, isBad }) => html`&ensp;<span class="mark${isBad ? ' bad' : ''}">${text}</span>`,
  );

/** Returns the label and the signature of each file with an Ed25519 signature; Tauri's have minisign texts, which only the API has. */
const listSigned = (downloads: readonly Download[]): { label: string; signature: string }[] =>
  downloads.flatMap(({ label, build: { signature, source } }) =>
    signature === null || source === 'tauri' ? [] : [{ label, signature }],
  );

/** Renders the signatures of the files with an explanation; false if no file has one. */
export function Signatures(site: Site, downloads: readonly Download[]): Markup | false {
  const title = site.words.signature;
  const signatures = listSigned(downloads);
  return (
    signatures.length > 0 &&
    html`<h2 id="signature">${title}${raw(renderAnchor(site, 'signature', title))}</h2>
${!hasExampleKey(site) && html`<p>${site.words.signature_note}</p>`}
${signatures.map(({ label, signature }) => html`${label !== '' && html`<p class="facts">${label}</p>`}<div class="code wrap"><pre tabindex="0"><code>${signature}</code></pre></div>`)}`
  );
}

/**
 * Returns the Markdown of `writeNotesOrLink` with absolute links. Notes of a feed already have them, so that only those of the
 * content folder are rewritten.
 */
export const writeReleaseNotes = (site: Site, release: Release): string =>
  site.content.releaseNotes.has(release.version)
    ? writeNotes(site, writeNotesOrLink(site, release))
    : writeNotesOrLink(site, release);

/** Returns a release as Markdown: with `#` a document with the product's name and the signatures, with `##` a section of a list. */
export function writeRelease(site: Site, release: Release, mark: '#' | '##'): string {
  const { name } = site.product;
  const labels = listReleaseLabels(site, release).map(({ text }) => text);
  const title = `${mark === '#' ? `${name} ` : ''}${getReleaseName(release)}${labels.length > 0 ? ` (${labels.join(', ')})` : ''}`;
  const downloads = listDownloads(site, release);
  const links = release.isInformational ? writeAbout(site, release) : writeDownloads(site, downloads);
  const facts = listReleaseFacts(site, release);
  const signatures = listSigned(downloads);
  return joinBlocks(
    `${mark} ${title}`,
    joinFacts(downloads.length > 1 ? facts : [...facts, links]),
    downloads.length > 1 && links,
    writeReleaseNotes(site, release)
      .replace(/^(#{1,4}) /gm, `${mark}$1 `)
      .trim(),
    mark === '#' &&
      signatures.length > 0 &&
      joinBlocks(
        `## ${site.words.signature}`,
        hasExampleKey(site) ? site.words.signature_example : site.words.signature_note,
        ...signatures.map(({ label, signature }) => `${label === '' ? '' : `${label}: `}\`${signature}\``),
      ),
  ).trim();
}

/** Returns whether a source of the product trusts the key of the shipped example, whose downloads do not exist. */
export const hasExampleKey = ({ product }: Site): boolean =>
  product.sources.some(({ public_keys: keys }) => keys.some(isExampleKey));
