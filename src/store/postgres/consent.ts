/** Consent tickets, and the codes that they turn into, in PostgreSQL. */
import { codeColumns, codeValues, ticketColumns, ticketValues } from '../new-rows.ts';
import { toTicket } from '../rows.ts';
import type { ConsentStore } from '../store.ts';
import type { PostgresConnection } from './connection.ts';
import { statement } from './queries.ts';

export function createPostgresConsent(connection: PostgresConnection): ConsentStore {
  return {
    async createTicket(ticket) {
      await connection.run(insertTicket, ...ticketValues(ticket));
    },

    async takeTicket(hash, now) {
      const row = await connection.get(takeTicket, hash, now);
      return row === undefined ? undefined : toTicket(row);
    },

    async createCode(code) {
      return (await connection.run(insertCode, ...codeValues(code))) === 1;
    },
  };
}

const insertTicket = statement(
  'insert_ticket',
  `INSERT INTO consent_tickets (${ticketColumns})
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

const takeTicket = statement(
  'take_ticket',
  `DELETE FROM consent_tickets WHERE hash = $1 AND expires_at > $2
   RETURNING ${ticketColumns}`,
);

/** The lock makes it wait for a revocation under way, and then look again. */
const insertCode = statement(
  'insert_code',
  `INSERT INTO codes (${codeColumns})
   SELECT $1::bytea, id, epoch, $4::text, $5::text, $6::text, $7::bigint
   FROM clients WHERE id = $2 AND epoch = $3 AND revoked_at IS NULL FOR SHARE`,
);
