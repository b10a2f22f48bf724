-- One row: which process serves which revision, what is still to be purged from caches, and the fingerprint of each key.
CREATE TABLE purging (
  id           INTEGER PRIMARY KEY CHECK (id = 1),
  state        TEXT NOT NULL,
  fingerprints TEXT NOT NULL
) STRICT;
