/** The facts that the Markdown of a folder can name, such as `{latest.version}`: a closed list. */
import type { Documents } from './schemas.ts';
import { listIds } from './yaml.ts';

/** The facts that every folder has. */
const commonNames = ['latest.version', 'latest.date', 'latest.size', 'minimum.os_version'] as const;

/** Returns the name by which texts refer to the price of a plan, such as `price.pro`. */
export const getPriceFactName = (planId: string): string => `price.${planId}`;

/**
 * Returns the names of all facts that texts of a folder may refer to: the fixed ones, and one for the price of each plan with an
 * id, whether or not pricing.yaml is valid otherwise.
 */
export const listFactNames = ({ pricing }: Pick<Documents, 'pricing'>): ReadonlySet<string> =>
  new Set<string>([...commonNames, ...[...listIds(pricing, 'plans')].map(getPriceFactName)]);
