/** Defines a resource: everything that is published of one thing. Each facet is declared, or stated as none with the reason. */
import type { None } from '../base/none.ts';
import type { YamlName } from '../content/schemas.ts';
import type { ResourceDefinition } from '../mcp/resources.ts';
import type { ToolDefinition } from '../mcp/tool.ts';
import type { ExportSource } from '../operations/exports.ts';
import type { Operation } from '../operations/operation.ts';
import type { Searchable } from '../operations/searchable.ts';
import type { Published } from '../pages/site.ts';

/** The declaration of one published thing: where its content comes from, and how it is served, searched, exported and shown. */
export interface Resource extends Published {
  /** The name in requests, such as `faq` in the path and as the `resource` of an export. */
  readonly name: string;
  /** The sources of the content: the names of YAML files, the folder of pages, or the feed. */
  readonly content: readonly (YamlName | 'docs/' | 'feed')[] | None;
  /** The operations in the order in which the contract lists them. */
  readonly operations: readonly Operation[] | None;
  readonly export: ExportSource | None;
  readonly search: Searchable | None;
  readonly tools: readonly ToolDefinition[] | None;
  /** The facts and texts that MCP clients may read whole. */
  readonly mcpResources: readonly ResourceDefinition[] | None;
}

/** The names of all facets; every declaration has each of them. */
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
