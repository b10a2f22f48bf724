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

-- Each question is a list of {key, limit, window, count}: one is counted in each that counts, or in none when one of them is
-- used up. One row for each member of each question, in their order. `moment` is null for the database's own time.
CREATE FUNCTION take_rates(questions JSONB, moment BIGINT, OUT allowed BOOLEAN, OUT used BIGINT, OUT wait_ms BIGINT)
RETURNS SETOF RECORD
LANGUAGE plpgsql AS $$
DECLARE
  question JSONB;
  ask JSONB;
  now_ms BIGINT;
  window_ms BIGINT;
  live BIGINT[];
  size INTEGER;
  all_allowed BOOLEAN;
BEGIN
  -- All counters are locked first and in one order, so that two calls never wait for each other. 0x636f6c72 is "colr".
  PERFORM pg_advisory_xact_lock(1668246642, hash) FROM (
    SELECT DISTINCT hashtext(member ->> 'key') AS hash
    FROM jsonb_array_elements(questions) AS list, jsonb_array_elements(list) AS member
    ORDER BY 1
  ) AS counters;
  now_ms := coalesce(moment, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);
  FOR question IN SELECT list FROM jsonb_array_elements(questions) AS list LOOP
    all_allowed := true;
    FOR ask IN SELECT member FROM jsonb_array_elements(question) AS member LOOP
      live := live_rate_groups(ask ->> 'key', (ask ->> 'window')::BIGINT, now_ms);
      IF rate_groups_sum(live) >= (ask ->> 'limit')::BIGINT THEN
        all_allowed := false;
      END IF;
    END LOOP;
    FOR ask IN SELECT member FROM jsonb_array_elements(question) AS member LOOP
      window_ms := (ask ->> 'window')::BIGINT;
      live := live_rate_groups(ask ->> 'key', window_ms, now_ms);
      used := rate_groups_sum(live);
      allowed := used < (ask ->> 'limit')::BIGINT;
      IF all_allowed AND (ask ->> 'count')::BOOLEAN THEN
        size := cardinality(live);
        IF size > 0 AND (now_ms - live[size - 2]) * 60 < window_ms THEN
          live[size - 1] := now_ms;
          live[size] := live[size] + 1;
        ELSE
          live := live || ARRAY[now_ms, now_ms, 1];
        END IF;
        used := used + 1;
        INSERT INTO rate_counters (key, groups, expires_at) VALUES (ask ->> 'key', live, now_ms + window_ms + 5000)
        ON CONFLICT (key) DO UPDATE SET groups = excluded.groups, expires_at = excluded.expires_at;
      END IF;
      wait_ms := window_ms - (now_ms - coalesce(live[2], now_ms));
      RETURN NEXT;
    END LOOP;
  END LOOP;
END $$;
