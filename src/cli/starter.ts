/** Creates the files of a new, valid content folder from the templates in starter/. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { systemClock } from '../base/clock.ts';
import { listInWords } from '../base/list-in-words.ts';
import { fillTemplate } from '../base/template.ts';
import type { Content } from '../content/content.ts';
import { writeSystemRange } from '../content/facts.ts';
import { englishWords } from '../content/words.ts';
import type { FoundSystem } from './feed-inspection.ts';
import type { Answers } from './init-answers.ts';

const folder = join(import.meta.dirname, 'starter');

const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.\w+$/.test(path))
  .map((path) => path.replaceAll('\\', '/'))
  .sort();

const readTemplate = (path: string): string => readFileSync(join(folder, path), 'utf8');

/**
 * Returns the files of a new content folder by path below it, those that are copied from a source included. It adds an example
 * release only if there is no source.
 *
 * @param hasPages whether the folder has documentation already, so that no page is added
 */
export function createStarterFiles(answers: Answers, hasPages: boolean): Map<string, string | Buffer> {
  const { name, vendor, website, publicKey, feed, fetchesNotes } = answers;
  const systems = (feed?.systems ?? [{ os: 'macOS', minimum: null, archs: [] } as const]).map(addGuesses);
  const sources = feed?.sources.map((source) => ({ ...source, ...(fetchesNotes && { notes: 'fetch' }) })) ?? [];
  const [source, another] = sources;
  const facts: Facts = {
    name,
    vendor,
    website,
    systems: listInWords(systems.map(({ os }) => os)),
    os: systems.map(({ os }) => os).join(', '),
    ranges: listInWords(systems.map(({ range }) => range)),
    guessed: listInWords(systems.flatMap(({ os, isGuess }) => (isGuess ? [os] : []))) || null,
    minimums: toYaml({ minimums: Object.fromEntries(systems.map(({ os, needs }) => [os, needs])) }),
    latest: feed?.systems[0]?.latest.version.replace(/\s+/g, ' ') ?? null,
    feed: source && toYaml({ feed: another === undefined ? source : sources }),
    public_key: publicKey,
    unsigned: source?.signature ?? null,
    quickstart: hasPages ? null : 'yes',
    today: new Date(systemClock.now()).toISOString().slice(0, 10),
  };
  const isLeftOut = (path: string): boolean =>
    path.startsWith('releases/') ? feed !== null : path === 'docs/quickstart.md' && hasPages;
  const paths = templates.filter((path) => !isLeftOut(path));
  const filledFiles = paths.map((path) => [path, fillStarter(readTemplate(path), facts)] as const);
  return new Map<string, string | Buffer>([...filledFiles, ...(feed?.files ?? [])]);
}

const toYaml = (value: object): string => stringify(value, { lineWidth: 0 }).trimEnd();

/** The minimums that product.yaml gets for a system whose own are unknown. */
const guesses = {
  macOS: { minimum: '13.0', archs: ['arm64', 'x86_64'] },
  Windows: { minimum: '10', archs: ['x86_64'] },
  Linux: { minimum: null, archs: ['x86_64'] },
} as const;

/**
 * Returns a system's name as `os`, and what it needs: in words as `range`, and for product.yaml as `needs`. `isGuess` is whether
 * any of it is guessed because the source does not have it; on Linux, a missing minimum stays missing and is no guess.
 */
function addGuesses({ os, minimum: stated, archs }: Pick<FoundSystem, 'os' | 'minimum' | 'archs'>) {
  const guess = guesses[os];
  const minimum = stated ?? guess.minimum;
  return {
    os,
    range: writeSystemRange({ os, osVersion: minimum, maximumOsVersion: null }, englishWords),
    needs: { ...(minimum !== null && { os_version: minimum }), arch: archs.length === 0 ? guess.archs : archs },
    isGuess: minimum !== stated || archs.length === 0,
  };
}

/** A value for each placeholder of the templates; null or undefined for a fact that there is not. */
type Facts = Readonly<Record<string, string | null | undefined>>;

/**
 * Fills in a template: `{{name}}` becomes a fact between double quotes or in a text, `{{&name}}` one that is YAML, and a line whose
 * fact is missing or '' is left out. `{{?name}}` in front of a line only keeps it if there is the fact, `{{!name}}` if there is
 * none. The double brackets around texts that people replace are removed.
 */
function fillStarter(template: string, facts: Facts): string {
  const isKept = (line: string): boolean =>
    [...line.matchAll(/\{\{([?!&]?)(\w+)\}\}/g)].every(([, sign, name = '']) => !facts[name] === (sign === '!'));
  const lines = template.split('\n').filter(isKept).join('\n');
  const plainLines = lines.replace(/\{\{[?!]\w+\}\}|\[\[|\]\]/g, '');
  const values = Object.entries(facts).flatMap(([name, fact]) => [
    // A text in double quotes is escaped in YAML as in JSON; the templates contain the quotes.
    [name, JSON.stringify(fact ?? '').slice(1, -1)],
    [`&${name}`, fact ?? ''],
  ]);
  return fillTemplate(plainLines, Object.fromEntries(values));
}

/**
 * Returns the texts of the templates that people replace, without the double brackets around them; a file that still has one is not
 * ready.
 */
export const listStarterTexts = (): string[] =>
  templates.flatMap((path) => [...readTemplate(path).matchAll(/\[\[(.+?)\]\]/g)].map(([, text = '']) => text));

/**
 * Returns the texts to replace that the readers of a site see: those in its facts, questions, prices, features, requirements,
 * releases, release notes and pages. One in a comment of a file is not among them.
 */
export function findServedStarterTexts(content: Content): string[] {
  const { product, faq, pricing, features, requirements, releases, releaseNotes, pages } = content;
  const servedTexts = [
    JSON.stringify([product, faq, pricing, features, requirements, releases]),
    ...releaseNotes.values(),
    ...pages.flatMap(({ title, description, markdown }) => [title, description, markdown]),
  ];
  return listStarterTexts().filter((text) => servedTexts.some((served) => served.includes(text)));
}
