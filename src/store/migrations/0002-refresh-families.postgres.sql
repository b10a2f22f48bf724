-- A chain of refresh tokens, by the code that it began with. `generation` is the one that can be used now.
CREATE TABLE refresh_families (
  id            BYTEA PRIMARY KEY CHECK (octet_length(id) = 16),
  client_id     TEXT COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  epoch         INTEGER NOT NULL,
  code_hash     BYTEA NOT NULL UNIQUE CHECK (octet_length(code_hash) = 32),
  scopes        TEXT NOT NULL,
  identity_type TEXT NOT NULL CHECK (identity_type IN ('anonymous', 'identity_assertion')),
  generation    INTEGER NOT NULL DEFAULT 1,
  rotated_at    BIGINT NOT NULL,
  expires_at    BIGINT NOT NULL,
  revoked_at    BIGINT
);

CREATE INDEX refresh_families_client ON refresh_families (client_id);
CREATE INDEX refresh_families_expiry ON refresh_families (expires_at);
