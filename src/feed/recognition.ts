/** Recognizes what a source is by its content; a file's name and media type mean nothing. */
import { FeedFault } from './fault.ts';

/** The kind of a source, with its content as text or as parsed JSON. */
export type Recognized =
  | { readonly kind: 'appcast' }
  | { readonly kind: 'electron-builder'; readonly text: string }
  | { readonly kind: 'tauri' | 'github'; readonly value: unknown };

/** The sentence of messages that lists the kinds of sources. */
const readable =
  'Colophon reads Sparkle and WinSparkle appcasts, latest*.yml of electron-builder, latest.json of Tauri, and the releases of a GitHub repository, such as acme/larder.';

const instead = 'Name the GitHub repository as the source, such as acme/larder, or write releases/VERSION.md.';

const notRead = `which Colophon does not read: it names update packages, not downloads. ${instead}`;

const refuse = (message: string): never => {
  throw new FeedFault('refused', message);
};

/**
 * Recognizes a source. Throws a FeedFault (`refused`) that names what it is instead and says what to do. An empty source, and XML
 * that is neither an Atom feed nor a web page, count as an appcast, which has yet to be parsed.
 */
export function recognizeSource(content: Uint8Array): Recognized {
  const text = new TextDecoder().decode(content).trim();
  if (isXml(content)) return recognizeXml(text);
  if (/^[[{]/.test(text)) return recognizeJson(text);
  if (/^[\da-f]{40}\s+\S+\.nupkg/im.test(text)) return refuse(`This is Squirrel’s RELEASES, ${notRead}`);
  if (/^version:/m.test(text) && /^(?:files|path):/m.test(text)) return { kind: 'electron-builder', text };
  return refuse(`This is no list of releases that is known. ${readable}`);
}

/**
 * Returns whether a source begins with `<` after any white space, as only appcasts do. An empty or blank one counts, and one that
 * begins with the byte order mark of UTF-16.
 */
export const isXml = (content: Uint8Array): boolean =>
  /^(?:\s*(?:<|$)|\uFFFD)/.test(new TextDecoder().decode(content.subarray(0, 4096)));

function recognizeXml(text: string): Recognized {
  // Each part of the prolog is removed by itself, since one expression for all of them could be slow.
  let start = text.slice(0, 4096);
  for (let rest = ''; rest !== start; ) {
    rest = start;
    start = start.replace(/^(?:\s+|<\?.*?\?>|<!--.*?-->|<!doctype(?! html)[^>]*>)/is, '');
  }
  const name = /^<(!doctype html|[\w:-]+)/i.exec(start)?.[1]?.toLowerCase();
  if (name === 'feed') return refuse(`This is an Atom feed, not an appcast: it names no downloads. ${instead}`);
  if (name === 'html' || name === '!doctype html')
    return refuse('This is a web page, not an appcast or another list: check the URL, and that it needs no login.');
  return { kind: 'appcast' };
}

function recognizeJson(text: string): Recognized {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`This is not valid JSON (${error instanceof Error ? error.message : String(error)}).`);
  }
  const [first] = Array.isArray(value) ? value : [value];
  const has = (key: string): boolean => typeof first === 'object' && first !== null && Object.hasOwn(first, key);
  if (has('tag_name') || (Array.isArray(value) && value.length === 0)) return { kind: 'github', value };
  if (Array.isArray(value)) return refuse(`This is JSON, and no list of releases that is known. ${readable}`);
  if (has('platforms') || (has('url') && has('signature'))) return { kind: 'tauri', value };
  if (has('Assets') || has('assets'))
    return refuse(`This is Velopack’s releases.win.json or one of its other lists, ${notRead}`);
  if (has('message') && has('documentation_url'))
    return refuse(`GitHub returned an error instead of releases: ${String(first.message).slice(0, 200)}.`);
  return refuse(`This is JSON, and no list of releases that is known. ${readable}`);
}
