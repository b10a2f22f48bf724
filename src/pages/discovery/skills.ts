/** Writes the skills that this site publishes for agents, and their index with a digest of each. */
import { sha256Hex } from '../../base/hash.ts';
import { toSlug } from '../../content/facts.ts';
import { listReferenceTags } from '../developers/contents.ts';
import type { Site } from '../site.ts';

/** A skill for agents. */
export interface Skill {
  /** Lower-case words joined by hyphens, which also name its folder. */
  readonly name: string;
  readonly description: string;
  /** The complete SKILL.md. */
  readonly text: string;
}

/** Returns the path of a skill's text from the origin, such as `/.well-known/agent-skills/example-facts/SKILL.md`. */
export const getSkillPath = (name: string): string => `/.well-known/agent-skills/${name}/SKILL.md`;

/** Returns the skills that agents can load: a single one, which says how to ask for the facts of the product. */
export function listSkills(site: Site): Skill[] {
  const skill = { name: `${toSlug(site.product.name).slice(0, 50)}-facts`, description: writeDescription(site) };
  const header = `---\nname: ${skill.name}\ndescription: ${JSON.stringify(skill.description)}\n---`;
  return [{ ...skill, text: `${header}\n\n${writeInstructions(site)}\n` }];
}

/** Returns the index of the skills as an object of JSON, in the format of Agent Skills discovery 0.2.0. */
export const createSkillsIndex = (site: Site) => ({
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills: listSkills(site).map(({ name, description: about, text }) => ({
    name,
    type: 'skill-md',
    description: about,
    url: getSkillPath(name),
    digest: `sha256:${sha256Hex(text)}`,
  })),
});

const writeDescription = (site: Site): string => {
  const { name } = site.product;
  return `Answers questions about ${name} from its own metadata API: the latest release and what changed, whether a computer runs it, prices, features, permissions, and its documentation. Use it whenever someone asks about installing, using, updating or buying ${name}.`;
};

function writeInstructions(site: Site): string {
  const { name } = site.product;
  const { apiRoot } = site.production;
  return `# Facts about ${name}

Ask the API; do not answer from memory. It is free, needs no key, and answers in markdown when you send \`Accept: text/markdown\`.

## Steps

1. Choose the request from the table. When you are unsure, search.
2. Send it with \`Accept: text/markdown\`.
3. Answer from what came back, and link the page that it names.
4. On a failure read \`detail\`: it says what to do next. \`suggestions\` holds near misses. Wait for \`Retry-After\` on 429 and 503.

| Question | Request |
|---|---|
| Something about using it | \`GET ${apiRoot}/search?q=…\`, then \`GET ${apiRoot}/docs/{slug}\` |
| The latest version, what changed | \`GET ${apiRoot}/releases/latest\`, \`GET ${apiRoot}/releases?since=…\` |
| Does it run on this computer, and which release does | \`GET ${apiRoot}/compatibility?os=…&os_version=…&arch=…\` |
| The download for this computer | \`GET ${apiRoot}/releases/latest?os=…&os_version=…&arch=…\` |
| What it costs | \`GET ${apiRoot}/pricing\` |
| What it can do | \`GET ${apiRoot}/features\` |
| What it needs, which permissions | \`GET ${apiRoot}/requirements\` |

## More

- Every operation: ${listReferenceTags(site)
    .map(({ title, href }) => `[${title}](${site.baseUrl}${href}.md)`)
    .join(', ')}
- Every page: ${site.baseUrl}/llms.txt
- MCP: ${site.baseUrl}/mcp`;
}
