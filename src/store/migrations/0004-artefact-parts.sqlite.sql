-- An exported file in parts: reading or writing all of a large one at once would hold up every request. `is_whole` says that all are there.
CREATE TABLE artefact_parts (
  hash  BLOB NOT NULL REFERENCES artefacts (hash) ON DELETE CASCADE,
  part  INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (hash, part)
) STRICT;

INSERT INTO artefact_parts (hash, part, bytes) SELECT hash, 0, bytes FROM artefacts;

ALTER TABLE artefacts DROP COLUMN bytes;
ALTER TABLE artefacts ADD COLUMN is_whole INTEGER NOT NULL DEFAULT 1;
