-- Moments are milliseconds since 1970. Hashes are SHA-256. Lists are JSON arrays of strings.
-- Identifiers are compared byte by byte, whatever the database's collation.

CREATE TABLE clients (
  id                      TEXT COLLATE "C" PRIMARY KEY,
  secret_hash             BYTEA UNIQUE CHECK (secret_hash IS NULL OR octet_length(secret_hash) = 32),
  registration_token_hash BYTEA NOT NULL CHECK (octet_length(registration_token_hash) = 32),
  request_hash            BYTEA CHECK (request_hash IS NULL OR octet_length(request_hash) = 32),
  epoch                   INTEGER NOT NULL DEFAULT 1,
  issued_at               BIGINT NOT NULL,
  revoked_at              BIGINT,
  last_token_at           BIGINT,
  name                    TEXT,
  redirect_uris           TEXT NOT NULL,
  grant_types             TEXT NOT NULL,
  auth_method             TEXT NOT NULL,
  scopes                  TEXT NOT NULL,
  software_id             TEXT,
  software_version        TEXT,
  contacts                TEXT NOT NULL,
  identity_type           TEXT NOT NULL CHECK (identity_type IN ('anonymous', 'identity_assertion')),
  assertion_issuer        TEXT,
  assertion_subject       TEXT
);

CREATE INDEX clients_unused ON clients (issued_at) WHERE last_token_at IS NULL AND revoked_at IS NULL;
CREATE INDEX clients_revoked ON clients (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE tokens (
  hash          BYTEA PRIMARY KEY CHECK (octet_length(hash) = 32),
  client_id     TEXT COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  epoch         INTEGER NOT NULL,
  scopes        TEXT NOT NULL,
  identity_type TEXT NOT NULL CHECK (identity_type IN ('anonymous', 'identity_assertion')),
  code_hash     BYTEA CHECK (code_hash IS NULL OR octet_length(code_hash) = 32),
  issued_at     BIGINT NOT NULL,
  expires_at    BIGINT NOT NULL
);

CREATE INDEX tokens_client ON tokens (client_id, issued_at);
CREATE INDEX tokens_code ON tokens (code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX tokens_expiry ON tokens (expires_at);

CREATE TABLE codes (
  hash         BYTEA PRIMARY KEY CHECK (octet_length(hash) = 32),
  client_id    TEXT COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  epoch        INTEGER NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge    TEXT NOT NULL,
  scopes       TEXT NOT NULL,
  expires_at   BIGINT NOT NULL,
  used_at      BIGINT
);

CREATE INDEX codes_client ON codes (client_id);
CREATE INDEX codes_expiry ON codes (expires_at);

CREATE TABLE consent_tickets (
  hash         BYTEA PRIMARY KEY CHECK (octet_length(hash) = 32),
  client_id    TEXT COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  epoch        INTEGER NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge    TEXT NOT NULL,
  scopes       TEXT NOT NULL,
  state        TEXT,
  expires_at   BIGINT NOT NULL
);

CREATE INDEX consent_tickets_client ON consent_tickets (client_id);
CREATE INDEX consent_tickets_expiry ON consent_tickets (expires_at);

CREATE TABLE assertion_uses (
  hash       BYTEA PRIMARY KEY CHECK (octet_length(hash) = 32),
  expires_at BIGINT NOT NULL
);

CREATE INDEX assertion_uses_expiry ON assertion_uses (expires_at);

CREATE TABLE idempotency_keys (
  key_hash   BYTEA PRIMARY KEY CHECK (octet_length(key_hash) = 32),
  body_hash  BYTEA NOT NULL CHECK (octet_length(body_hash) = 32),
  claimed_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

CREATE TABLE artefacts (
  hash       BYTEA PRIMARY KEY CHECK (octet_length(hash) = 32),
  media_type TEXT NOT NULL,
  size       BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  bytes      BYTEA NOT NULL
);

CREATE INDEX artefacts_expiry ON artefacts (expires_at);

CREATE TABLE jobs (
  id            TEXT COLLATE "C" PRIMARY KEY,
  client_id     TEXT COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  resource      TEXT NOT NULL,
  format        TEXT NOT NULL,
  status        TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  attempts      INTEGER NOT NULL DEFAULT 0,
  lease_until   BIGINT,
  revision      TEXT,
  artefact_hash BYTEA REFERENCES artefacts (hash),
  failure       TEXT,
  created_at    BIGINT NOT NULL,
  finished_at   BIGINT,
  expires_at    BIGINT NOT NULL,
  CHECK ((status = 'running') = (lease_until IS NOT NULL)),
  CHECK ((status = 'completed') = (artefact_hash IS NOT NULL)),
  CHECK ((status = 'failed') = (failure IS NOT NULL))
);

CREATE INDEX jobs_client ON jobs (client_id, created_at);
CREATE INDEX jobs_open ON jobs (created_at) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_artefact ON jobs (artefact_hash) WHERE artefact_hash IS NOT NULL;
CREATE INDEX jobs_expiry ON jobs (expires_at);

-- The last good copy of each feed, by a hash of its address and keys, and what its leader says of its last check.
CREATE TABLE feeds (
  key           TEXT COLLATE "C" PRIMARY KEY,
  version       BIGINT NOT NULL DEFAULT 0,
  metadata      TEXT,
  bytes         BYTEA,
  checked_at    BIGINT,
  fresh_until   BIGINT,
  next_check_at BIGINT,
  problem       TEXT,
  CHECK ((metadata IS NULL) = (bytes IS NULL))
);
