/** Marks a facet that a resource deliberately lacks, with the reason, because a facet that is only left out is a mistake. */

/** The reason that a resource declares in place of a facet, such as search or export, that it deliberately lacks. */
export interface None {
  readonly none: string;
}

/** Returns the mark of a facet that is left out; `why`, the reason, is for readers of the declaration. */
export const none = (why: string): None => ({ none: why });

/** Returns whether a facet was left out with a reason. */
export const isNone = (facet: unknown): facet is None => typeof facet === 'object' && facet !== null && 'none' in facet;

/** Returns the facet, or `otherwise` if it was left out with a reason. */
export const getOrElse = <T, E>(facet: T | None, otherwise: E): T | E => (isNone(facet) ? otherwise : facet);
