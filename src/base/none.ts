/** A facet that a resource goes without, with the reason: what is left out silently is a mistake. */

export interface None {
  readonly none: string;
}

/** `why`: for whoever reads the declaration. */
export const none = (why: string): None => ({ none: why });

export const isNone = (facet: unknown): facet is None => typeof facet === 'object' && facet !== null && 'none' in facet;

/** The facet, or the value that stands for none. */
export const orElse = <T, E>(facet: T | None, otherwise: E): T | E => (isNone(facet) ? otherwise : facet);
