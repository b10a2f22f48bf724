/** The one statement that rotates a family of refresh tokens; both engines read the old row on its right-hand sides. */

/** What the statement is given, each as the engine writes its parameters. */
interface Parameters {
  readonly generation: string;
  readonly now: string;
  readonly graceMs: string;
  readonly idleMs: string;
  readonly family: string;
  readonly client: string;
  readonly epoch: string;
}

/**
 * The newest generation moves the family on by one. The one before it counts as a repeat for as long as the grace lasts,
 * and changes nothing. Any other ends the family. No row: unknown, ended, expired, or another client's.
 */
export const rotation = ({ generation, now, graceMs, idleMs, family, client, epoch }: Parameters): string => `
  UPDATE refresh_families SET
    revoked_at = CASE WHEN generation = ${generation}
      OR (generation = ${generation} + 1 AND rotated_at > ${now} - ${graceMs}) THEN NULL ELSE ${now} END,
    rotated_at = CASE WHEN generation = ${generation} THEN ${now} ELSE rotated_at END,
    expires_at = CASE WHEN generation = ${generation} THEN ${now} + ${idleMs} ELSE expires_at END,
    generation = CASE WHEN generation = ${generation} THEN generation + 1 ELSE generation END
  WHERE id = ${family} AND client_id = ${client} AND epoch = ${epoch}
    AND revoked_at IS NULL AND expires_at > ${now}
  RETURNING generation, revoked_at, code_hash`;
