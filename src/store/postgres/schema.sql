-- Tables that only servers on PostgreSQL share. Moments are milliseconds since 1970.

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
