-- Oldest schema version that can run on this: 7
-- What processes have reserved in advance: id, count and end of each lease in turn. Until it is settled, all of it counts as used.
ALTER TABLE rate_counters ADD COLUMN leases BIGINT[] NOT NULL DEFAULT '{}';

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

-- Processes of the version before ask in this way; what the others have leased counts for them, too.
CREATE OR REPLACE FUNCTION count_rates(
  questions JSONB, moment BIGINT, OUT used BIGINT, OUT granted BIGINT, OUT wait_ms BIGINT
) RETURNS SETOF RECORD LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY
  WITH asks AS (
    SELECT row_number() OVER (ORDER BY q.place, a.place) AS at, q.place::INTEGER AS question,
      (q.list ->> 'times')::BIGINT AS times, a.ask ->> 'key' AS key, (a.ask ->> 'limit')::BIGINT AS most,
      (a.ask ->> 'window')::BIGINT AS span, (a.ask ->> 'count')::BOOLEAN AS counts
    FROM jsonb_array_elements(questions) WITH ORDINALITY AS q(list, place),
      jsonb_array_elements(q.list -> 'asks') WITH ORDINALITY AS a(ask, place)
  ), given AS (
    SELECT array_agg(question ORDER BY at) AS questions, array_agg(asks.times ORDER BY at) AS times,
      array_agg(key ORDER BY at) AS keys, array_agg(most ORDER BY at) AS limits, array_agg(span ORDER BY at) AS windows,
      array_agg(counts ORDER BY at) AS counted
    FROM asks
  )
  SELECT taken.used, taken.granted, taken.wait_ms
  FROM given, take_rates(
    given.questions, given.times, given.keys, given.limits, given.windows, given.counted, NULL, NULL, NULL, NULL, 1000, moment
  ) AS taken;
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

-- Uses a refresh token up and stores the access token that it is exchanged for, or changes nothing. The newest generation moves the
-- family on by one; the one before it counts as a repeat for as long as the grace lasts; any other ends the family.
CREATE FUNCTION redeem_refresh(
  family BYTEA, presented INTEGER, grace_ms BIGINT, idle_ms BIGINT, holder TEXT, at_epoch INTEGER, most BIGINT,
  token BYTEA, scope_list TEXT, kind TEXT, now_ms BIGINT, until BIGINT, OUT outcome TEXT, OUT newest INTEGER
) LANGUAGE plpgsql AS $$
DECLARE
  room BIGINT := token_room(holder, at_epoch, now_ms, most);
  held RECORD;
BEGIN
  outcome := 'client_gone';
  IF room IS NULL THEN RETURN; END IF;
  SELECT generation, rotated_at, code_hash INTO held FROM refresh_families
    WHERE id = family AND client_id = holder AND epoch = at_epoch AND revoked_at IS NULL AND expires_at > now_ms FOR UPDATE;
  outcome := 'unknown';
  IF NOT FOUND THEN RETURN; END IF;
  newest := held.generation;
  IF presented <> newest AND (presented + 1 <> newest OR held.rotated_at <= now_ms - grace_ms) THEN
    UPDATE refresh_families SET revoked_at = now_ms WHERE id = family;
    DELETE FROM tokens WHERE code_hash = held.code_hash;
    outcome := 'reused';
    RETURN;
  END IF;
  outcome := 'too_many';
  IF room = 0 THEN RETURN; END IF;
  IF presented = newest THEN
    newest := newest + 1;
    UPDATE refresh_families SET generation = newest, rotated_at = now_ms, expires_at = now_ms + idle_ms WHERE id = family;
  END IF;
  PERFORM store_token(holder, at_epoch, token, scope_list, kind, held.code_hash, now_ms, until);
  outcome := 'rotated';
END $$;

-- Ends a family, of any client or of the one named, and its access tokens.
CREATE FUNCTION revoke_refresh_family(family BYTEA, now_ms BIGINT, holder TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  ended RECORD;
BEGIN
  UPDATE refresh_families SET revoked_at = now_ms
    WHERE id = family AND revoked_at IS NULL AND (holder IS NULL OR client_id = holder) RETURNING client_id, code_hash INTO ended;
  DELETE FROM tokens WHERE code_hash = ended.code_hash;
  RETURN ended.client_id;
END $$;

-- Ends the family that began with a code, and every access token of either; how many of these.
CREATE FUNCTION revoke_tokens_of_code(code BYTEA, now_ms BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  deleted BIGINT;
BEGIN
  UPDATE refresh_families SET revoked_at = now_ms WHERE code_hash = code AND revoked_at IS NULL;
  DELETE FROM tokens WHERE code_hash = code;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END $$;

-- Jobs of one client come one after the other, so that each counts those before it; the oldest finished ones beyond `most` are removed.
CREATE FUNCTION create_job(
  job TEXT, holder TEXT, source TEXT, kind TEXT, made_at BIGINT, until BIGINT, most INTEGER
) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM clients WHERE id = holder FOR NO KEY UPDATE;
  INSERT INTO jobs (id, client_id, resource, format, created_at, expires_at)
    VALUES (job, holder, source, kind, made_at, until) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN FALSE; END IF;
  DELETE FROM jobs WHERE status IN ('completed', 'failed') AND id = ANY (ARRAY (
    SELECT id FROM jobs WHERE client_id = holder ORDER BY created_at DESC, id OFFSET most));
  RETURN TRUE;
END $$;
