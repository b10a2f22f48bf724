/** Consent tickets, and the codes that they turn into, in SQLite. */
import { codeColumns, codeValues, ticketColumns, ticketValues } from '../new-rows.ts';
import { toTicket } from '../rows.ts';
import type { ConsentStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { clientIsAlive } from './tokens.ts';

export function createSqliteConsent(connection: Connection): ConsentStore {
  return {
    async createTicket(ticket) {
      connection.run(insertTicket, ...ticketValues(ticket));
    },

    async takeTicket(hash, now) {
      const row = connection.get(
        'DELETE FROM consent_tickets WHERE hash = ? AND expires_at > ? RETURNING *',
        hash,
        now,
      );
      return row === undefined ? undefined : toTicket(row);
    },

    async createCode(code) {
      return connection.transaction(() => {
        if (!clientIsAlive(connection, code)) return false;
        connection.run(insertCode, ...codeValues(code));
        return true;
      });
    },
  };
}

const insertTicket = `INSERT INTO consent_tickets (${ticketColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

const insertCode = `INSERT INTO codes (${codeColumns}) VALUES (?, ?, ?, ?, ?, ?, ?)`;
