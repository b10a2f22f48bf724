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

-- Counts one in a counter with room for it, if the request `counts`. `now_ms` is null for the database's own time.
CREATE FUNCTION take_hit(
  counter TEXT, max_hits BIGINT, window_ms BIGINT, counts BOOLEAN, now_ms BIGINT,
  OUT allowed BOOLEAN, OUT used BIGINT, OUT wait_ms BIGINT)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1668246642, hashtext(counter));
  now_ms := coalesce(now_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT);
  -- Hits from the future were counted before the clock was set back; nobody should wait for them.
  DELETE FROM rate_hits WHERE key = counter AND (expires_at <= now_ms OR expires_at > now_ms + window_ms);
  used := coalesce((SELECT sum(hits) FROM rate_hits WHERE key = counter), 0);
  allowed := used < max_hits;
  IF allowed AND counts THEN
    used := used + 1;
    UPDATE rate_hits SET expires_at = now_ms + window_ms, hits = hits + 1
    WHERE key = counter AND (now_ms - first_at) * 60 < window_ms;
    IF NOT FOUND THEN INSERT INTO rate_hits VALUES (counter, now_ms, now_ms + window_ms, 1); END IF;
  END IF;
  wait_ms := coalesce((SELECT min(expires_at) FROM rate_hits WHERE key = counter) - now_ms, window_ms);
END $$;
