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

CREATE INDEX tokens_client ON tokens (client_id);
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

-- A chain of refresh tokens that began with one authorization code. Only the newest generation can be used.
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

CREATE TABLE artifacts (
  hash       BYTEA PRIMARY KEY CHECK (octet_length(hash) = 32),
  media_type TEXT NOT NULL,
  size       BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  is_whole   BOOLEAN NOT NULL
);

-- Files are stored in parts, because reading a large one at once would delay every request. An incomplete file is not whole.
CREATE TABLE artifact_parts (
  hash  BYTEA NOT NULL REFERENCES artifacts (hash) ON DELETE CASCADE,
  part  INTEGER NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (hash, part)
);

CREATE INDEX artifacts_expiry ON artifacts (expires_at);

CREATE TABLE jobs (
  id            TEXT COLLATE "C" PRIMARY KEY,
  client_id     TEXT COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  resource      TEXT NOT NULL,
  format        TEXT NOT NULL,
  status        TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  attempts      INTEGER NOT NULL DEFAULT 0,
  lease_until   BIGINT,
  revision      TEXT,
  artifact_hash BYTEA REFERENCES artifacts (hash),
  failure       TEXT,
  created_at    BIGINT NOT NULL,
  finished_at   BIGINT,
  expires_at    BIGINT NOT NULL,
  CHECK ((status = 'running') = (lease_until IS NOT NULL)),
  CHECK ((status = 'completed') = (artifact_hash IS NOT NULL)),
  CHECK ((status = 'failed') = (failure IS NOT NULL))
);

CREATE INDEX jobs_client ON jobs (client_id, created_at);
CREATE INDEX jobs_open ON jobs (created_at) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_artifact ON jobs (artifact_hash) WHERE artifact_hash IS NOT NULL;
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
  leader        TEXT COLLATE "C",
  leader_until  BIGINT,
  CHECK ((metadata IS NULL) = (bytes IS NULL))
);

-- A keyed hash by the SECRET_KEY of the server that started last, so that one with another key is told.
CREATE TABLE secret_key (
  only_row    BOOLEAN PRIMARY KEY DEFAULT true CHECK (only_row),
  fingerprint BYTEA NOT NULL CHECK (octet_length(fingerprint) = 32)
);

-- The counters of the rate limits. They need no crash safety: after a crash of the database the table is empty.
-- A row is a group of requests that stop counting together, a window after the last one; times are milliseconds since 1970.

CREATE UNLOGGED TABLE rate_hits (
  key        TEXT COLLATE "C" NOT NULL,
  first_at   BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  hits       BIGINT NOT NULL,
  PRIMARY KEY (key, first_at)
);

-- Counts one in every counter of `requests` with `count`, or in none if one of them is used up. `now_ms` is null for the database's own time.
CREATE FUNCTION take_hits(requests JSON, now_ms BIGINT) RETURNS TABLE (allowed BOOLEAN, used BIGINT, wait_ms BIGINT)
LANGUAGE plpgsql AS $$
DECLARE
  counter RECORD;
  room BOOLEAN := TRUE;
BEGIN
  -- All locks are taken first and in one order, so that two statements never wait for each other.
  PERFORM pg_advisory_xact_lock(1668246642, hash)
  FROM (SELECT DISTINCT hashtext(r->>'key') AS hash FROM json_array_elements(requests) AS r ORDER BY 1) AS counters;
  now_ms := coalesce(now_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);
  FOR counter IN SELECT * FROM json_to_recordset(requests) AS r(key TEXT, "limit" BIGINT, "windowMs" BIGINT) LOOP
    -- Hits from the future were counted before the clock was set back; nobody should wait for them.
    DELETE FROM rate_hits WHERE key = counter.key AND (expires_at <= now_ms OR expires_at > now_ms + counter."windowMs");
    room := room AND coalesce((SELECT sum(hits) FROM rate_hits WHERE key = counter.key), 0) < counter.limit;
  END LOOP;
  FOR counter IN SELECT * FROM json_to_recordset(requests) AS r(key TEXT, "limit" BIGINT, "windowMs" BIGINT, count BOOLEAN) LOOP
    used := coalesce((SELECT sum(hits) FROM rate_hits WHERE key = counter.key), 0);
    allowed := used < counter.limit;
    IF room AND counter.count THEN
      used := used + 1;
      UPDATE rate_hits SET expires_at = now_ms + counter."windowMs", hits = hits + 1
      WHERE key = counter.key AND (now_ms - first_at) * 60 < counter."windowMs";
      IF NOT FOUND THEN INSERT INTO rate_hits VALUES (counter.key, now_ms, now_ms + counter."windowMs", 1); END IF;
    END IF;
    wait_ms := coalesce((SELECT min(expires_at) FROM rate_hits WHERE key = counter.key) - now_ms, counter."windowMs");
    RETURN NEXT;
  END LOOP;
END $$;
