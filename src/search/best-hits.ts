/** The best of what was found, in order: highest points first, equal ones in the order of the documents. */
import type { Ranked } from './ranking.ts';

export interface BestHit {
  readonly document: number;
  /** Whole, at least 1. */
  readonly points: number;
}

export interface Bounds {
  /** Only documents from here on. */
  readonly from: number;
  /** And before here. */
  readonly to: number;
  /** Only what has fewer points than this, or as many and a document from `document` on. */
  readonly points: number;
  readonly document: number;
}

/** At most `most`, or null when nothing was found between `from` and `to`, whatever its points. */
export function bestOf(
  { count, documents, scores }: Ranked,
  pointsPerScore: number,
  bounds: Bounds,
  most: number,
): BestHit[] | null {
  const best: BestHit[] = [];
  let any = false;
  for (let at = 0; at < count; at += 1) {
    const document = documents[at] ?? 0;
    if (document < bounds.from || document >= bounds.to) continue;
    any = true;
    const points = Math.max(1, Math.round((scores[document] ?? 0) * pointsPerScore));
    if (points > bounds.points || (points === bounds.points && document < bounds.document)) continue;
    if (best.length === most) {
      if (!comesAfter(best[most - 1], points, document)) continue;
      best.pop();
    }
    let place = best.length;
    while (comesAfter(best[place - 1], points, document)) place -= 1;
    best.splice(place, 0, { document, points });
  }
  return any ? best : null;
}

function comesAfter(hit: BestHit | undefined, points: number, document: number): boolean {
  return hit !== undefined && (hit.points < points || (hit.points === points && hit.document > document));
}
