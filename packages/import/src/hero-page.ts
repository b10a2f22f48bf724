/** Turns a start page whose text is in its front matter into Markdown. */
import { writeDestination } from './blocks.ts';
import { toList, toRecord, toText } from './front-matter.ts';

/**
 * Returns `hero.text`, `hero.tagline`, `hero.actions` and `features` of front matter as Markdown: two paragraphs, a list of links
 * and a list of features. Absent parts are left out, so the result may be empty.
 */
export function writeHeroPage(values: Readonly<Record<string, unknown>>): string {
  const hero = toRecord(values.hero);
  const lead = [toText(hero.text), toText(hero.tagline)].flatMap((text) => text ?? []);
  const actions = toList(hero.actions)
    .map(toRecord)
    .flatMap((action) => writeLinkItem(action.text, action.link, null));
  const features = toList(values.features)
    .map(toRecord)
    .flatMap((feature) => writeLinkItem(feature.title, feature.link, feature.details));
  return [...lead, actions.join('\n'), features.join('\n')].filter((part) => part !== '').join('\n\n');
}

function writeLinkItem(title: unknown, href: unknown, details: unknown): string[] {
  const [text, link, rest] = [toText(title), toText(href), toText(details)];
  if (text === null) return [];
  const head = link === null ? `**${text}**` : `[${text}](${writeDestination(link)})`;
  return [`- ${head}${rest === null ? '' : `: ${rest.replace(/\s+/g, ' ')}`}`];
}
