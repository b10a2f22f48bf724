/** The files of a new content folder, filled in from the templates in starter/; the folder is valid from the start. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { fillTemplate } from '../base/template.ts';
import { placeholderArchive } from './feed-inspection.ts';
import type { Answers } from './init-answers.ts';

const folder = join(import.meta.dirname, 'starter');

const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.\w+$/.test(path))
  .map((path) => path.replaceAll('\\', '/'))
  .sort();

const readTemplate = (path: string): string => readFileSync(join(folder, path), 'utf8');

/**
 * Returns the files of the folder by path.
 *
 * @param hasPages whether the folder has documentation already, so that no page is added
 */
export function createStarterFiles(answers: Answers, hasPages: boolean): Map<string, string | Buffer> {
  const { name, vendor, website, publicKey, feed, fetchesNotes } = answers;
  const latest = feed?.latest ?? null;
  // product.yaml takes at most three numbers.
  const minimum = /^\d{1,3}(\.\d{1,3}){0,2}$/.exec(latest?.minimumOsVersion ?? '')?.[0] ?? null;
  const facts = {
    name,
    vendor,
    website,
    minimum: minimum ?? '13.0',
    feed_minimum: minimum,
    arch: latest?.arch === 'arm64' ? 'arm64' : 'arm64, x86_64',
    latest: latest?.version.replace(/\s+/g, ' ') ?? null,
    source: feed?.source ?? 'appcast.xml',
    base_url: feed?.baseUrl ?? null,
    public_key: publicKey,
    // A key without a feed is for the one to come: the placeholder is not signed.
    unsigned: publicKey !== null && (feed === null || feed.isOptional) ? 'yes' : null,
    notes: fetchesNotes ? 'yes' : null,
    quickstart: hasPages ? null : 'yes',
    today: new Date(systemClock.now()).toISOString().slice(0, 10),
    placeholder_archive: placeholderArchive,
  };
  const files = new Map<string, string | Buffer>();
  for (const path of templates) {
    if (path === 'appcast.xml' ? feed !== null : path === 'docs/quickstart.md' && hasPages) continue;
    files.set(path, fillStarter(readTemplate(path), facts, path.endsWith('.xml') ? escapeXml : escapeQuoted));
  }
  if (feed !== null && feed.file !== null) files.set(feed.source, feed.file);
  return files;
}

/**
 * Fills in a template: `{{name}}` becomes a fact, and a line whose fact is null is left out. `{{?name}}` in front of a line only keeps
 * it if there is the fact, `{{!name}}` if there is none. Double brackets mark texts to replace.
 */
function fillStarter(
  template: string,
  facts: Readonly<Record<string, string | null>>,
  escapeFact: (fact: string) => string,
): string {
  const isKept = (line: string): boolean =>
    [...line.matchAll(/\{\{([?!]?)(\w+)\}\}/g)].every(
      ([, sign, name = '']) => (facts[name] === null) === (sign === '!'),
    );
  const lines = template.split('\n').filter(isKept).join('\n');
  const unmarked = lines.replace(/\{\{[?!]\w+\}\}|\[\[|\]\]/g, '');
  const values = Object.entries(facts).map(([name, fact]) => [name, escapeFact(fact ?? '')]);
  return fillTemplate(unmarked, Object.fromEntries(values));
}

/** Escapes a text between the double quotes of YAML, which are those of JSON. */
const escapeQuoted = (text: string): string => JSON.stringify(text).slice(1, -1);

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns the texts that people replace; a file that still has one is not ready. */
export const listStarterTexts = (): string[] =>
  templates.flatMap((path) => [...readTemplate(path).matchAll(/\[\[(.+?)\]\]/g)].map(([, text = '']) => text));
