/** Consent tickets, and the codes that they turn into, in SQLite. */
import { toTicket } from './rows.ts';
import type { Connection } from './sqlite-connection.ts';
import { clientIsAlive } from './sqlite-tokens.ts';
import type { ConsentStore } from './store.ts';

export function createSqliteConsent(connection: Connection): ConsentStore {
  return {
    async createTicket(ticket) {
      connection.run(
        `INSERT INTO consent_tickets (hash, client_id, epoch, redirect_uri, challenge, scopes, state, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ticket.hash,
        ticket.clientId,
        ticket.epoch,
        ticket.redirectUri,
        ticket.challenge,
        JSON.stringify(ticket.scopes),
        ticket.state,
        ticket.expiresAt,
      );
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
        connection.run(
          `INSERT INTO codes (hash, client_id, epoch, redirect_uri, challenge, scopes, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
          code.hash,
          code.clientId,
          code.epoch,
          code.redirectUri,
          code.challenge,
          JSON.stringify(code.scopes),
          code.expiresAt,
        );
        return true;
      });
    },
  };
}
