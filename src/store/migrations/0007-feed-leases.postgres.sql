-- Who fetches a feed, where processes reach the database through a pooler in transaction mode: it has no session that a lock could live in.
ALTER TABLE feeds ADD COLUMN leader TEXT COLLATE "C";
ALTER TABLE feeds ADD COLUMN leader_until BIGINT;
