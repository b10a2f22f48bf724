-- The tables of both engines; src/store/schema.ts has the values of the placeholders. Moments are milliseconds since 1970.
-- Hashes are SHA-256. Lists are JSON arrays of strings.

CREATE TABLE clients (
  id                      {{id}} PRIMARY KEY,
  secret_hash             {{bytes}} UNIQUE CHECK (secret_hash IS NULL OR octet_length(secret_hash) = 32),
  registration_token_hash {{bytes}} NOT NULL CHECK (octet_length(registration_token_hash) = 32),
  request_hash            {{bytes}} CHECK (request_hash IS NULL OR octet_length(request_hash) = 32),
  epoch                   INTEGER NOT NULL DEFAULT 1,
  issued_at               {{integer}} NOT NULL,
  revoked_at              {{integer}},
  last_token_at           {{integer}},
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
) {{strict_without_rowid}};

CREATE INDEX clients_unused ON clients (issued_at) WHERE last_token_at IS NULL AND revoked_at IS NULL;
CREATE INDEX clients_revoked ON clients (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE tokens (
  hash          {{bytes}} PRIMARY KEY CHECK (octet_length(hash) = 32),
  client_id     {{id}} NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  epoch         INTEGER NOT NULL,
  scopes        TEXT NOT NULL,
  identity_type TEXT NOT NULL CHECK (identity_type IN ('anonymous', 'identity_assertion')),
  code_hash     {{bytes}} CHECK (code_hash IS NULL OR octet_length(code_hash) = 32),
  issued_at     {{integer}} NOT NULL,
  expires_at    {{integer}} NOT NULL
) {{strict_without_rowid}};

CREATE INDEX tokens_client ON tokens (client_id);
CREATE INDEX tokens_code ON tokens (code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX tokens_expiry ON tokens (expires_at);

-- Validated authorization requests: by the ticket of a consent page, and once a person has allowed them by an authorization code.
CREATE TABLE authorization_requests (
  hash         {{bytes}} PRIMARY KEY CHECK (octet_length(hash) = 32),
  kind         TEXT NOT NULL CHECK (kind IN ('ticket', 'code')),
  client_id    {{id}} NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  epoch        INTEGER NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge    TEXT NOT NULL,
  scopes       TEXT NOT NULL,
  state        TEXT,
  expires_at   {{integer}} NOT NULL,
  used_at      {{integer}}
) {{strict_without_rowid}};

CREATE INDEX authorization_requests_client ON authorization_requests (client_id);
CREATE INDEX authorization_requests_expiry ON authorization_requests (expires_at);

-- A chain of refresh tokens that began with one authorization code. Only the newest generation can be used.
CREATE TABLE refresh_families (
  id            {{bytes}} PRIMARY KEY CHECK (octet_length(id) = 16),
  client_id     {{id}} NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  epoch         INTEGER NOT NULL,
  code_hash     {{bytes}} NOT NULL UNIQUE CHECK (octet_length(code_hash) = 32),
  scopes        TEXT NOT NULL,
  identity_type TEXT NOT NULL CHECK (identity_type IN ('anonymous', 'identity_assertion')),
  generation    INTEGER NOT NULL DEFAULT 1,
  rotated_at    {{integer}} NOT NULL,
  expires_at    {{integer}} NOT NULL,
  revoked_at    {{integer}}
) {{strict_without_rowid}};

CREATE INDEX refresh_families_client ON refresh_families (client_id);
CREATE INDEX refresh_families_expiry ON refresh_families (expires_at);

CREATE TABLE assertion_uses (
  hash       {{bytes}} PRIMARY KEY CHECK (octet_length(hash) = 32),
  expires_at {{integer}} NOT NULL
) {{strict_without_rowid}};

CREATE INDEX assertion_uses_expiry ON assertion_uses (expires_at);

CREATE TABLE idempotency_keys (
  key_hash   {{bytes}} PRIMARY KEY CHECK (octet_length(key_hash) = 32),
  body_hash  {{bytes}} NOT NULL CHECK (octet_length(body_hash) = 32),
  claimed_at {{integer}} NOT NULL,
  expires_at {{integer}} NOT NULL
) {{strict_without_rowid}};

CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

CREATE TABLE artifacts (
  hash       {{bytes}} PRIMARY KEY CHECK (octet_length(hash) = 32),
  media_type TEXT NOT NULL,
  size       {{integer}} NOT NULL,
  expires_at {{integer}} NOT NULL,
  is_whole   INTEGER NOT NULL
) {{strict}};

-- Files are stored in parts, because reading a large one at once would delay every request. An incomplete file is not whole.
CREATE TABLE artifact_parts (
  hash  {{bytes}} NOT NULL REFERENCES artifacts (hash) ON DELETE CASCADE,
  part  INTEGER NOT NULL,
  bytes {{bytes}} NOT NULL,
  PRIMARY KEY (hash, part)
) {{strict}};

CREATE INDEX artifacts_expiry ON artifacts (expires_at);

CREATE TABLE jobs (
  id            {{id}} PRIMARY KEY,
  client_id     {{id}} NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  resource      TEXT NOT NULL,
  format        TEXT NOT NULL,
  status        TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  attempts      INTEGER NOT NULL DEFAULT 0,
  lease_until   {{integer}},
  revision      TEXT,
  artifact_hash {{bytes}} REFERENCES artifacts (hash) DEFERRABLE INITIALLY DEFERRED,
  failure       TEXT,
  created_at    {{integer}} NOT NULL,
  finished_at   {{integer}},
  expires_at    {{integer}} NOT NULL,
  CHECK ((status = 'running') = (lease_until IS NOT NULL)),
  CHECK ((status = 'completed') = (artifact_hash IS NOT NULL)),
  CHECK ((status = 'failed') = (failure IS NOT NULL))
) {{strict_without_rowid}};

CREATE INDEX jobs_client ON jobs (client_id, created_at);
CREATE INDEX jobs_open ON jobs (created_at) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_artifact ON jobs (artifact_hash) WHERE artifact_hash IS NOT NULL;
CREATE INDEX jobs_expiry ON jobs (expires_at);
