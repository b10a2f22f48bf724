/** A start page whose text is in its front matter: what it says, as markdown. */
import { destination } from './blocks.ts';
import { listOf, recordOf, textOf } from './front-matter.ts';

/** Title, text, buttons and features of a page with `hero`. */
export function homeText(values: Readonly<Record<string, unknown>>): string {
  const hero = recordOf(values.hero);
  const lead = [textOf(hero.text), textOf(hero.tagline)].flatMap((text) => text ?? []);
  const actions = listOf(hero.actions)
    .map(recordOf)
    .flatMap((action) => linkItem(action.text, action.link, null));
  const features = listOf(values.features)
    .map(recordOf)
    .flatMap((feature) => linkItem(feature.title, feature.link, feature.details));
  return [...lead, actions.join('\n'), features.join('\n')].filter((part) => part !== '').join('\n\n');
}

function linkItem(title: unknown, href: unknown, details: unknown): string[] {
  const [text, link, rest] = [textOf(title), textOf(href), textOf(details)];
  if (text === null) return [];
  const head = link === null ? `**${text}**` : `[${text}](${destination(link)})`;
  return [`- ${head}${rest === null ? '' : `: ${rest.replace(/\s+/g, ' ')}`}`];
}
