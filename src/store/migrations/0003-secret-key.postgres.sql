-- A keyed hash by the SECRET_KEY of the server that started last, so that one with another key is told.
CREATE TABLE secret_key (
  only_row    BOOLEAN PRIMARY KEY DEFAULT true CHECK (only_row),
  fingerprint BYTEA NOT NULL CHECK (octet_length(fingerprint) = 32)
);
