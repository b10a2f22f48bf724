/** Renders one release as a part of a page: its entry in a list, its labels, its signatures and its Markdown. */
import { html, raw } from 'hono/html';
import type { Release } from '../catalog/catalog.ts';
import { dayInWords, factsInWords } from '../content/facts.ts';
import { isExampleKey } from '../feed/example-key.ts';
import { document } from '../operations/markdown.ts';
import { aboutMarkdown, type Download, downloadsMarkdown, listDownloads, ReleaseDownloads } from './downloads.ts';
import { anchorTo, notesMarkdown, proseHtml } from './prose.ts';
import { notesOrLink, releaseDay, releaseFacts, releaseLabels, releaseName, releasePath } from './release-words.ts';
import type { Site } from './site.ts';

/** Renders a release in a list, with its day and requirements next to its notes. */
export async function ReleaseEntry(site: Site, release: Release, id: string) {
  const notes = await proseHtml(site, notesOrLink(site, release), { topLevel: 3, hasAnchors: false });
  const day = releaseDay(release);
  const isLatest = site.catalog.latest?.id === release.id;
  const [, ...facts] = releaseFacts(site, release);
  return html`<section class="release" aria-labelledby="${id}"><div class="when">
<h2 id="${id}"><a href="${site.root}${releasePath(release)}">${releaseName(release)}</a>${isLatest && html`&ensp;<span class="mark new">${site.words.latest}</span>`}${ReleaseLabels(site, release)}</h2>
${day && html`<p><time datetime="${day}">${dayInWords(day, site.language)}</time></p>`}
<p class="facts">${factsInWords(facts)}</p>
${ReleaseDownloads(site, release)}</div>
<div class="notes">${raw(notes)}</div></section>`;
}

/** Renders the labels of a release, such as its channel. */
export const ReleaseLabels = (site: Site, release: Release) =>
  releaseLabels(site, release).map(
    ({ text, isBad }) => html`&ensp;<span class="mark${isBad ? ' bad' : ''}">${text}</span>`,
  );

/** Returns the files with an Ed25519 signature; Tauri's have minisign texts, which only the API has. */
const listSigned = (downloads: readonly Download[]): { label: string; signature: string }[] =>
  downloads.flatMap(({ label, build: { signature, source } }) =>
    signature === null || source === 'tauri' ? [] : [{ label, signature }],
  );

/** Renders the signatures of the files with an explanation; nothing if no file has one. */
export function Signatures(site: Site, downloads: readonly Download[]) {
  const title = site.words.signature;
  const signatures = listSigned(downloads);
  return (
    signatures.length > 0 &&
    html`<h2 id="signature">${title}${raw(anchorTo(site, 'signature', title))}</h2>
${!hasExampleKey(site) && html`<p>${site.words.signature_note}</p>`}
${signatures.map(({ label, signature }) => html`${label !== '' && html`<p class="facts">${label}</p>`}<div class="code wrap"><pre tabindex="0"><code>${signature}</code></pre></div>`)}`
  );
}

/** Returns the notes with absolute links. Notes of a feed already have them, so that only those of the content folder are rewritten. */
export const releaseNotes = (site: Site, release: Release): string =>
  site.content.releaseNotes.has(release.version)
    ? notesMarkdown(site, notesOrLink(site, release))
    : notesOrLink(site, release);

/** Returns a release as Markdown: with `#` a document, with `##` a section of a list. */
export function releaseMarkdown(site: Site, release: Release, mark: '#' | '##'): string {
  const { name } = site.product;
  const labels = releaseLabels(site, release).map(({ text }) => text);
  const title = `${mark === '#' ? `${name} ` : ''}${releaseName(release)}${labels.length > 0 ? ` (${labels.join(', ')})` : ''}`;
  const downloads = listDownloads(site, release);
  const links = release.isInformational ? aboutMarkdown(site, release) : downloadsMarkdown(site, downloads);
  const facts = releaseFacts(site, release);
  const signatures = listSigned(downloads);
  return document(
    `${mark} ${title}`,
    factsInWords(downloads.length > 1 ? facts : [...facts, links]),
    downloads.length > 1 && links,
    releaseNotes(site, release)
      .replace(/^(#{1,4}) /gm, `${mark}$1 `)
      .trim(),
    mark === '#' &&
      signatures.length > 0 &&
      document(
        `## ${site.words.signature}`,
        hasExampleKey(site) ? site.words.signature_example : site.words.signature_note,
        ...signatures.map(({ label, signature }) => `${label === '' ? '' : `${label}: `}\`${signature}\``),
      ),
  ).trim();
}

/** Returns whether the product is the shipped example: nothing is published under its key, so its downloads do not exist. */
export const hasExampleKey = ({ product }: Site): boolean =>
  product.sources.some(({ public_keys: keys }) => keys.some(isExampleKey));
