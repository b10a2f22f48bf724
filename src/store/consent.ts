/** Statements on consent tickets and on the authorization codes that they turn into. */
import { list, lockClient } from './clients.ts';
import type { Database } from './database.ts';
import { bytes, type Columns, defineRecord, integer, nullable, text } from './row.ts';
import type { AuthorizationCode, ConsentRecord, ConsentStore, ConsentTicket } from './store.ts';

/** Creates the part of the store that keeps tickets and codes. */
export function createConsentStore(database: Database): ConsentStore {
  return {
    async createTicket(newTicket) {
      const sql = `INSERT INTO consent_tickets (${ticket.columns}) VALUES (${ticket.parameters})`;
      await database.run(sql, ...ticket.write(newTicket));
    },

    async takeTicket(hash, now) {
      const sql = `DELETE FROM consent_tickets WHERE hash = ?1 AND expires_at > ?2 RETURNING ${ticket.columns}`;
      const row = await database.get(sql, hash, now);
      return row && ticket.read(row);
    },

    createCode: (record) =>
      database.transaction(async (queries) => {
        if (!(await lockClient(queries, record.clientId, record.epoch))) return false;
        const sql = `INSERT INTO codes (${newCode.columns}) VALUES (${newCode.parameters})`;
        await queries.run(sql, ...newCode.write(record));
        return true;
      }),

    async findCode(hash) {
      const row = await database.get(`SELECT ${code.columns} FROM codes WHERE hash = ?1`, hash);
      return row && code.read(row);
    },
  };
}

const consent: Columns<ConsentRecord> = {
  hash: bytes,
  clientId: text,
  epoch: integer,
  redirectUri: text,
  challenge: text,
  scopes: list,
  expiresAt: integer,
};
const newCode = defineRecord<ConsentRecord>(consent);
const code = defineRecord<AuthorizationCode>({ ...consent, usedAt: nullable(integer) });
const ticket = defineRecord<ConsentTicket>({ ...consent, state: nullable(text) });
