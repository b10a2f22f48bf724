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

-- A keyed hash by the SECRET_KEY of the server that started last, so that one with another key is told.
CREATE TABLE secret_key (
  only_row    BOOLEAN PRIMARY KEY DEFAULT true CHECK (only_row),
  fingerprint BYTEA NOT NULL CHECK (octet_length(fingerprint) = 32)
);

-- The rate limits' counters. They need no crash safety: after a crash of the database the table is empty.
-- `groups` holds first, last and count of each group of requests in turn, oldest first; moments are milliseconds since 1970.

CREATE UNLOGGED TABLE rate_counters (
  key        TEXT COLLATE "C" PRIMARY KEY,
  groups     BIGINT[] NOT NULL,
  expires_at BIGINT NOT NULL
) WITH (fillfactor = 50);

-- The groups that still count. One later than now is from before the clock was set back: it is taken to be of now, so that
-- nobody waits for more than a window.
CREATE FUNCTION live_rate_groups(counter TEXT, window_ms BIGINT, now_ms BIGINT) RETURNS BIGINT[]
LANGUAGE plpgsql AS $$
DECLARE
  held BIGINT[];
  live BIGINT[] := '{}';
  last BIGINT;
BEGIN
  SELECT groups INTO held FROM rate_counters WHERE key = counter;
  FOR at IN 1 .. coalesce(cardinality(held), 0) BY 3 LOOP
    last := least(held[at + 1], now_ms);
    IF now_ms - last < window_ms THEN
      live := live || ARRAY[least(held[at], now_ms), last, held[at + 2]];
    END IF;
  END LOOP;
  RETURN live;
END $$;

CREATE FUNCTION rate_groups_sum(groups BIGINT[]) RETURNS BIGINT
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  total BIGINT := 0;
BEGIN
  FOR at IN 3 .. cardinality(groups) BY 3 LOOP
    total := total + groups[at];
  END LOOP;
  RETURN total;
END $$;

-- Each question is {times, asks}, asks a list of {key, limit, window, count} of different counters: `times` are to be counted in
-- each that counts, and as many are granted as none of them has too many. One row for each ask of each question, in their
-- order: what the counter had used before, how many of the question's times are granted, and how long until the oldest that
-- it has counted stop counting. `moment` is null for the database's own time.
CREATE FUNCTION count_rates(questions JSONB, moment BIGINT, OUT used BIGINT, OUT granted BIGINT, OUT wait_ms BIGINT)
RETURNS SETOF RECORD
LANGUAGE plpgsql AS $$
DECLARE
  question JSONB;
  ask JSONB;
  now_ms BIGINT;
  window_ms BIGINT;
  live BIGINT[];
  size INTEGER;
BEGIN
  -- All counters are locked first and in one order, so that two calls never wait for each other. 0x636f6c72 is "colr".
  PERFORM pg_advisory_xact_lock(1668246642, hash) FROM (
    SELECT DISTINCT hashtext(member ->> 'key') AS hash
    FROM jsonb_array_elements(questions) AS list, jsonb_array_elements(list -> 'asks') AS member
    ORDER BY 1
  ) AS counters;
  now_ms := coalesce(moment, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);
  FOR question IN SELECT list FROM jsonb_array_elements(questions) AS list LOOP
    granted := (question ->> 'times')::BIGINT;
    FOR ask IN SELECT member FROM jsonb_array_elements(question -> 'asks') AS member LOOP
      live := live_rate_groups(ask ->> 'key', (ask ->> 'window')::BIGINT, now_ms);
      used := rate_groups_sum(live);
      IF (ask ->> 'count')::BOOLEAN THEN
        granted := least(granted, greatest((ask ->> 'limit')::BIGINT - used, 0));
      ELSIF used >= (ask ->> 'limit')::BIGINT THEN
        granted := 0;
      END IF;
    END LOOP;
    FOR ask IN SELECT member FROM jsonb_array_elements(question -> 'asks') AS member LOOP
      window_ms := (ask ->> 'window')::BIGINT;
      -- Of a single counter the groups are at hand.
      IF jsonb_array_length(question -> 'asks') > 1 THEN
        live := live_rate_groups(ask ->> 'key', window_ms, now_ms);
        used := rate_groups_sum(live);
      END IF;
      IF granted > 0 AND (ask ->> 'count')::BOOLEAN THEN
        size := cardinality(live);
        IF size > 0 AND (now_ms - live[size - 2]) * 60 < window_ms THEN
          live[size - 1] := now_ms;
          live[size] := live[size] + granted;
        ELSE
          live := live || ARRAY[now_ms, now_ms, granted];
        END IF;
        INSERT INTO rate_counters (key, groups, expires_at) VALUES (ask ->> 'key', live, now_ms + window_ms + 5000)
        ON CONFLICT (key) DO UPDATE SET groups = excluded.groups, expires_at = excluded.expires_at;
      END IF;
      wait_ms := window_ms - (now_ms - coalesce(live[2], now_ms));
      RETURN NEXT;
    END LOOP;
  END LOOP;
END $$;
