/** Statements on consent tickets and on the authorization codes that they turn into. */
import { lockClient } from './clients.ts';
import type { Database } from './database.ts';
import { bytes, integer, list, nullable, type Row, text } from './row.ts';
import type { ConsentRecord, ConsentStore } from './store.ts';

/** Creates the part of the store that keeps tickets and codes. */
export function createConsentStore(database: Database): ConsentStore {
  return {
    async createTicket(ticket) {
      const sql = `INSERT INTO consent_tickets (${columns}, state) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`;
      await database.run(sql, ...toValues(ticket), ticket.state);
    },

    async takeTicket(hash, now) {
      const sql = `DELETE FROM consent_tickets WHERE hash = ?1 AND expires_at > ?2 RETURNING ${columns}, state`;
      const row = await database.get(sql, hash, now);
      return row && { ...toRecord(row), state: nullable(text, row, 'state') };
    },

    createCode: (code) =>
      database.transaction(async (queries) => {
        if (!(await lockClient(queries, code.clientId, code.epoch))) return false;
        await queries.run(`INSERT INTO codes (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`, ...toValues(code));
        return true;
      }),

    async findCode(hash) {
      const row = await database.get(`SELECT ${columns}, used_at FROM codes WHERE hash = ?1`, hash);
      return row && { ...toRecord(row), usedAt: nullable(integer, row, 'used_at') };
    },
  };
}

const columns = 'hash, client_id, epoch, redirect_uri, challenge, scopes, expires_at';

const toValues = (record: ConsentRecord) => [
  record.hash,
  record.clientId,
  record.epoch,
  record.redirectUri,
  record.challenge,
  JSON.stringify(record.scopes),
  record.expiresAt,
];

const toRecord = (row: Row): ConsentRecord => ({
  hash: bytes(row, 'hash'),
  clientId: text(row, 'client_id'),
  epoch: integer(row, 'epoch'),
  redirectUri: text(row, 'redirect_uri'),
  challenge: text(row, 'challenge'),
  scopes: list(row, 'scopes'),
  expiresAt: integer(row, 'expires_at'),
});
