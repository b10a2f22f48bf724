/** What a resource is: everything that is published of one thing, each facet declared, or stated as none with the reason. */
import type { None } from '../base/none.ts';
import type { YamlName } from '../content/schemas.ts';
import type { ResourceDefinition } from '../mcp/resources.ts';
import type { ToolDefinition } from '../mcp/tool.ts';
import type { ExportSource } from '../operations/exports.ts';
import type { Operation } from '../operations/operation.ts';
import type { Searchable } from '../operations/searchable.ts';
import type { Published } from '../pages/site.ts';

export interface Resource extends Published {
  /** What requests call it: `faq` in the path, and as the `resource` of an export. */
  readonly name: string;
  /** Where it comes from: YAML files by their names, or what else there is in a content folder. */
  readonly content: readonly (YamlName | 'docs/' | 'feed')[] | None;
  /** In the order in which the contract lists them. */
  readonly operations: readonly Operation[] | None;
  readonly export: ExportSource | None;
  readonly search: Searchable | None;
  readonly tools: readonly ToolDefinition[] | None;
  /** What MCP clients may read whole. */
  readonly mcpResources: readonly ResourceDefinition[] | None;
}

/** Every facet, by name: a declaration states each of them. */
export const facets = [
  'content',
  'operations',
  'export',
  'search',
  'tools',
  'mcpResources',
  'page',
  'sandbox',
  'sitemap',
  'llms',
  'navigation',
  'suggestions',
] as const satisfies readonly (keyof Resource)[];
