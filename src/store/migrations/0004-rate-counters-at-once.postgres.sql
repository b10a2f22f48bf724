-- Each question is {times, asks}, asks a list of {key, limit, window, count} of different counters: `times` are to be counted in
-- each that counts, and as many are granted as none of them has too many. One row for each ask of each question, in their
-- order: what the counter had used before, how many of the question's times are granted, and how long until the oldest that
-- it has counted stop counting. `moment` is null for the database's own time. A process of an earlier version goes on with
-- take_rates, on the same counters.
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
  -- As in take_rates: locked first and in one order, so that two calls never wait for each other.
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
