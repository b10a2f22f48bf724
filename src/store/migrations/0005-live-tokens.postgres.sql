-- Whoever issues a token counts the client's live ones first.
CREATE INDEX tokens_live ON tokens (client_id, epoch, expires_at);
DROP INDEX tokens_client;

-- How many more tokens a client may have; null when it is not alive at this epoch. Its row is locked until the end of the
-- transaction: a revocation that was first is seen, one that comes now waits and ends what is being issued, and issuers of one
-- client come one after the other. They are functions because each statement in one sees what was committed before it began; a
-- single statement would count in the view that it had before it waited for the lock.
CREATE FUNCTION token_room(holder TEXT, at_epoch INTEGER, now_ms BIGINT, most BIGINT) RETURNS BIGINT
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM clients WHERE id = holder AND epoch = at_epoch AND revoked_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  RETURN greatest(most - (
    SELECT count(*) FROM tokens WHERE client_id = holder AND epoch = at_epoch AND expires_at > now_ms
  ), 0);
END $$;

CREATE FUNCTION store_token(
  holder TEXT, at_epoch INTEGER, token BYTEA, scope_list TEXT, kind TEXT, code BYTEA, now_ms BIGINT, until BIGINT
) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tokens (hash, client_id, epoch, scopes, identity_type, code_hash, issued_at, expires_at)
  VALUES (token, holder, at_epoch, scope_list, kind, code, now_ms, until);
  UPDATE clients SET last_token_at = now_ms WHERE id = holder;
END $$;

-- Tokens of one client in the order in which they were asked for, one outcome each.
CREATE FUNCTION issue_tokens(
  holder TEXT, at_epoch INTEGER, most BIGINT,
  hashes BYTEA[], scope_lists TEXT[], kinds TEXT[], moments BIGINT[], untils BIGINT[]
) RETURNS TEXT[] LANGUAGE plpgsql AS $$
DECLARE
  newest BIGINT := (SELECT max(moment) FROM unnest(moments) AS moment);
  room BIGINT := token_room(holder, at_epoch, newest, most);
BEGIN
  IF room IS NULL THEN RETURN array_fill('client_gone'::TEXT, ARRAY[cardinality(hashes)]); END IF;
  INSERT INTO tokens (hash, client_id, epoch, scopes, identity_type, issued_at, expires_at)
    SELECT hash, holder, at_epoch, scope_list, kind, moment, until
    FROM unnest(hashes, scope_lists, kinds, moments, untils) WITH ORDINALITY
      AS asked(hash, scope_list, kind, moment, until, place)
    WHERE place <= room;
  IF room > 0 THEN UPDATE clients SET last_token_at = newest WHERE id = holder; END IF;
  RETURN (
    SELECT array_agg(CASE WHEN place <= room THEN 'issued' ELSE 'too_many' END ORDER BY place)
    FROM generate_series(1, cardinality(hashes)) AS place
  );
END $$;

-- Uses an assertion up and stores its token, or changes nothing.
CREATE FUNCTION redeem_assertion(
  assertion BYTEA, assertion_until BIGINT, holder TEXT, at_epoch INTEGER, most BIGINT,
  token BYTEA, scope_list TEXT, kind TEXT, now_ms BIGINT, until BIGINT
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  room BIGINT := token_room(holder, at_epoch, now_ms, most);
BEGIN
  IF room IS NULL THEN RETURN 'client_gone'; END IF;
  IF room = 0 THEN
    PERFORM FROM assertion_uses WHERE hash = assertion;
    RETURN CASE WHEN FOUND THEN 'used' ELSE 'too_many' END;
  END IF;
  INSERT INTO assertion_uses (hash, expires_at) VALUES (assertion, assertion_until) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN 'used'; END IF;
  PERFORM store_token(holder, at_epoch, token, scope_list, kind, NULL, now_ms, until);
  RETURN 'issued';
END $$;

-- Uses a code up and stores its token, and with `family` the chain of its refresh tokens, or changes nothing.
CREATE FUNCTION redeem_code(
  code BYTEA, holder TEXT, at_epoch INTEGER, most BIGINT,
  token BYTEA, scope_list TEXT, kind TEXT, now_ms BIGINT, until BIGINT, family BYTEA, family_until BIGINT
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  room BIGINT := token_room(holder, at_epoch, now_ms, most);
BEGIN
  IF room IS NULL THEN RETURN 'client_gone'; END IF;
  PERFORM FROM codes
    WHERE hash = code AND client_id = holder AND epoch = at_epoch AND used_at IS NULL AND expires_at > now_ms FOR UPDATE;
  IF NOT FOUND THEN RETURN 'used'; END IF;
  IF room = 0 THEN RETURN 'too_many'; END IF;
  UPDATE codes SET used_at = now_ms WHERE hash = code;
  PERFORM store_token(holder, at_epoch, token, scope_list, kind, code, now_ms, until);
  IF family IS NOT NULL THEN
    INSERT INTO refresh_families (id, client_id, epoch, code_hash, scopes, identity_type, rotated_at, expires_at)
    VALUES (family, holder, at_epoch, code, scope_list, kind, now_ms, family_until);
  END IF;
  RETURN 'issued';
END $$;
