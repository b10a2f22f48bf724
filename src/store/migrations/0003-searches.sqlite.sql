-- What people search for: a query on a day, without anything of who asked. `day` is the moment when it began, in UTC.
CREATE TABLE searches (
  id              INTEGER PRIMARY KEY,
  day             INTEGER NOT NULL,
  query           TEXT NOT NULL,
  searches        INTEGER NOT NULL,
  without_results INTEGER NOT NULL,
  UNIQUE (day, query)
) STRICT;
