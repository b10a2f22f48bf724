/** A search as it is noted: what was looked for, where, and whether anything was found. */

export interface Search {
  readonly query: string;
  readonly isFound: boolean;
}

/** Where people and programs search. */
export type Surface = 'site' | 'api' | 'mcp';

export interface SearchNote extends Search {
  readonly surface: Surface;
  /**
   * `at once`: it was submitted, or one of its results was chosen. Otherwise it counts once two seconds have passed without
   * another search of the same client (`unless replaced`), or without one that continues or shortens it (`unless continued`).
   */
  readonly settles: 'at once' | 'unless replaced' | 'unless continued';
}
