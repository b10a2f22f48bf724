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

-- The rate limits' counters. They need no crash safety: after a crash of the database the table is empty.
-- `groups` holds first, last and count of each group of requests in turn, oldest first; moments are milliseconds since 1970.

CREATE UNLOGGED TABLE rate_counters (
  key        TEXT COLLATE "C" PRIMARY KEY,
  groups     BIGINT[] NOT NULL,
  leases     BIGINT[] NOT NULL DEFAULT '{}',
  expires_at BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE FUNCTION add_to_rate_groups(groups BIGINT[], added BIGINT, window_ms BIGINT, now_ms BIGINT) RETURNS BIGINT[]
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  size INTEGER := cardinality(groups);
BEGIN
  IF size > 0 AND (now_ms - groups[size - 2]) * 60 < window_ms THEN
    groups[size - 1] := now_ms;
    groups[size] := groups[size] + added;
    RETURN groups;
  END IF;
  RETURN groups || ARRAY[now_ms, now_ms, added];
END $$;

-- What counts of a counter, with the lease `settled` replaced by the requests `spent` of it. A moment later than there can be is from
-- before the clock was set back.
CREATE FUNCTION rate_state(
  counter TEXT, window_ms BIGINT, lease_ms BIGINT, settled BIGINT, spent BIGINT, now_ms BIGINT,
  OUT live BIGINT[], OUT leases BIGINT[], OUT used BIGINT, OUT reserved BIGINT, OUT is_settled BOOLEAN
) LANGUAGE plpgsql AS $$
DECLARE
  held_groups BIGINT[];
  held_leases BIGINT[];
  latest BIGINT;
BEGIN
  SELECT held.groups, held.leases INTO held_groups, held_leases FROM rate_counters AS held WHERE held.key = counter;
  live := '{}';
  leases := '{}';
  used := 0;
  reserved := 0;
  is_settled := FALSE;
  FOR at IN 1 .. coalesce(cardinality(held_groups), 0) BY 3 LOOP
    latest := least(held_groups[at + 1], now_ms);
    IF now_ms - latest < window_ms THEN
      live := live || ARRAY[least(held_groups[at], now_ms), latest, held_groups[at + 2]];
      used := used + held_groups[at + 2];
    END IF;
  END LOOP;
  FOR at IN 1 .. coalesce(cardinality(held_leases), 0) BY 3 LOOP
    latest := least(held_leases[at + 2], now_ms + lease_ms);
    IF held_leases[at] = settled THEN
      is_settled := TRUE;
    ELSIF now_ms - latest < window_ms THEN
      leases := leases || ARRAY[held_leases[at], held_leases[at + 1], latest];
      reserved := reserved + held_leases[at + 1];
    END IF;
  END LOOP;
  IF is_settled AND spent > 0 THEN
    live := add_to_rate_groups(live, spent, window_ms, now_ms);
    used := used + spent;
  END IF;
  used := used + reserved;
END $$;

-- All counters of a statement are locked first and in one order, so that two statements never wait for each other. 0x636f6c72 is "colr".
CREATE FUNCTION lock_rate_counters(keys TEXT[]) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1668246642, hash)
  FROM (SELECT DISTINCT hashtext(key) AS hash FROM unnest(keys) AS key ORDER BY 1) AS counters;
END $$;

-- Asks, those of one question next to each other. The `times` of a question are to be counted in each of its counters that is `counted`,
-- and as many are granted as none of them has too many. When all are, a counter also leases `wanted` under the id `lease`: at most a
-- twentieth of its limit, and with other leases at most half of what is left. Its process may use it for `lease_ms`; then it asks with the id as
-- `settled`, and says how many it has `spent`. One row for each ask: what the counter had used before, leases included; how many of
-- those are leases; how many times are granted; how many are leased; and how long until the oldest requests stop counting. `moment`
-- is null for the database's own time.
CREATE FUNCTION take_rates(
  questions INTEGER[], times BIGINT[], keys TEXT[], limits BIGINT[], windows BIGINT[], counted BOOLEAN[],
  wanted BIGINT[], lease BIGINT[], settled BIGINT[], spent BIGINT[], lease_ms BIGINT, moment BIGINT,
  OUT used BIGINT, OUT reserved BIGINT, OUT granted BIGINT, OUT leased BIGINT, OUT wait_ms BIGINT
) RETURNS SETOF RECORD LANGUAGE plpgsql AS $$
DECLARE
  now_ms BIGINT;
  asks INTEGER := coalesce(cardinality(keys), 0);
  first INTEGER := 1;
  last INTEGER;
  state RECORD;
  counts BOOLEAN;
BEGIN
  PERFORM lock_rate_counters(keys);
  now_ms := coalesce(moment, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);
  WHILE first <= asks LOOP
    last := first;
    WHILE last < asks AND questions[last + 1] = questions[first] LOOP last := last + 1; END LOOP;
    granted := times[first];
    FOR at IN first .. last LOOP
      state := rate_state(keys[at], windows[at], lease_ms, settled[at], spent[at], now_ms);
      IF counted[at] THEN granted := least(granted, greatest(limits[at] - state.used, 0));
      ELSIF state.used >= limits[at] THEN granted := 0;
      END IF;
    END LOOP;
    FOR at IN first .. last LOOP
      -- Of a single counter the state is at hand.
      IF last > first THEN state := rate_state(keys[at], windows[at], lease_ms, settled[at], spent[at], now_ms); END IF;
      used := state.used;
      reserved := state.reserved;
      leased := 0;
      counts := counted[at] AND granted > 0;
      IF counts THEN
        state.live := add_to_rate_groups(state.live, granted, windows[at], now_ms);
        IF wanted[at] > 0 AND granted = times[first] THEN
          leased := greatest(0, least(
            wanted[at], limits[at] / 20, (limits[at] - used - granted + reserved) / 2 - reserved));
        END IF;
        IF leased > 0 THEN state.leases := state.leases || ARRAY[lease[at], leased, now_ms + lease_ms]; END IF;
      END IF;
      IF counts OR state.is_settled THEN
        INSERT INTO rate_counters AS held (key, groups, leases, expires_at)
        VALUES (keys[at], state.live, state.leases, now_ms + lease_ms + windows[at] + 5000)
        ON CONFLICT (key) DO UPDATE
          SET groups = excluded.groups, leases = excluded.leases, expires_at = excluded.expires_at;
      END IF;
      wait_ms := windows[at] - (now_ms - coalesce(state.live[2], now_ms));
      RETURN NEXT;
    END LOOP;
    first := last + 1;
  END LOOP;
END $$;

-- Tokens, and the counts of the requests that carry them, as each request would be admitted by itself: nothing of an address whose refused
-- tokens are used up; what is not a live token counts there and in the address's bucket; any other counts for address and client or,
-- without `address_keys`, in the bucket. Each question is a token from an address, `times` times. `moments` are the clock's by which tokens
-- expire. One row for each counter that was looked at, in this order, with the token where it is one.
CREATE FUNCTION admit_tokens(
  hashes BYTEA[], times BIGINT[], moments BIGINT[], refused_keys TEXT[], bucket_keys TEXT[], bucket_limits BIGINT[], address_keys TEXT[],
  client_prefix TEXT, refused_limit BIGINT, address_limit BIGINT, client_limit BIGINT,
  window_ms BIGINT, lease_ms BIGINT, moment BIGINT,
  OUT place INTEGER, OUT client_id TEXT, OUT scopes TEXT, OUT identity_type TEXT, OUT expires_at BIGINT,
  OUT used BIGINT, OUT reserved BIGINT, OUT granted BIGINT, OUT wait_ms BIGINT
) RETURNS SETOF RECORD LANGUAGE plpgsql AS $$
DECLARE
  held RECORD;
  taken RECORD;
  asked INTEGER[] := '{}';
  asked_times BIGINT[] := '{}';
  keys TEXT[] := '{}';
  limits BIGINT[] := '{}';
  counted BOOLEAN[] := '{}';
  bucket_places INTEGER[] := '{}';
  bucket_times BIGINT[] := '{}';
  ids TEXT[];
  scope_lists TEXT[];
  kinds TEXT[];
  untils BIGINT[];
  needed TEXT[];
BEGIN
  FOR n IN 1 .. cardinality(hashes) LOOP
    SELECT t.client_id, t.scopes, t.identity_type, t.expires_at INTO held
    FROM tokens AS t JOIN clients AS c ON c.id = t.client_id
    WHERE t.hash = hashes[n] AND t.expires_at > moments[n] AND c.epoch = t.epoch AND c.revoked_at IS NULL;
    ids[n] := held.client_id;
    scope_lists[n] := held.scopes;
    kinds[n] := held.identity_type;
    untils[n] := held.expires_at;
    IF held.client_id IS NULL THEN
      asked := asked || n;
      keys := keys || refused_keys[n];
      limits := limits || refused_limit;
      counted := counted || TRUE;
      needed := needed || bucket_keys[n];
    ELSIF address_keys[n] IS NULL THEN
      asked := asked || ARRAY[n, n];
      keys := keys || ARRAY[refused_keys[n], bucket_keys[n]];
      limits := limits || ARRAY[refused_limit, bucket_limits[n]];
      counted := counted || ARRAY[FALSE, TRUE];
    ELSE
      asked := asked || ARRAY[n, n, n];
      keys := keys || ARRAY[refused_keys[n], address_keys[n], client_prefix || held.client_id];
      limits := limits || ARRAY[refused_limit, address_limit, client_limit];
      counted := counted || ARRAY[FALSE, TRUE, TRUE];
    END IF;
  END LOOP;
  PERFORM lock_rate_counters(keys || needed);
  FOR taken IN
    SELECT rates.*, asked[rates.ordinality] AS n
    FROM take_rates(
      asked, (SELECT array_agg(times[n] ORDER BY at) FROM unnest(asked) WITH ORDINALITY AS list(n, at)), keys, limits,
      array_fill(window_ms, ARRAY[cardinality(keys)]), counted, NULL, NULL, NULL, NULL, lease_ms, moment
    ) WITH ORDINALITY AS rates
  LOOP
    place := taken.n;
    client_id := ids[place];
    scopes := scope_lists[place];
    identity_type := kinds[place];
    expires_at := untils[place];
    used := taken.used;
    reserved := taken.reserved;
    granted := taken.granted;
    wait_ms := taken.wait_ms;
    RETURN NEXT;
    IF client_id IS NULL AND granted > 0 THEN
      bucket_places := bucket_places || place;
      bucket_times := bucket_times || granted;
    END IF;
  END LOOP;
  client_id := NULL;
  FOR taken IN
    SELECT rates.*, bucket_places[rates.ordinality] AS n
    FROM take_rates(
      bucket_places, bucket_times, ARRAY(SELECT bucket_keys[n] FROM unnest(bucket_places) WITH ORDINALITY AS list(n, at) ORDER BY at),
      ARRAY(SELECT bucket_limits[n] FROM unnest(bucket_places) WITH ORDINALITY AS list(n, at) ORDER BY at),
      array_fill(window_ms, ARRAY[cardinality(bucket_places)]), array_fill(TRUE, ARRAY[cardinality(bucket_places)]),
      NULL, NULL, NULL, NULL, lease_ms, moment
    ) WITH ORDINALITY AS rates
  LOOP
    place := taken.n;
    used := taken.used;
    reserved := taken.reserved;
    granted := taken.granted;
    wait_ms := taken.wait_ms;
    RETURN NEXT;
  END LOOP;
END $$;
