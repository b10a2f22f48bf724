-- What people search for: a query on a day, without anything of who asked. `day` is the moment when it began, in UTC.
CREATE TABLE searches (
  id              BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day             BIGINT NOT NULL,
  query           TEXT COLLATE "C" NOT NULL,
  searches        BIGINT NOT NULL,
  without_results BIGINT NOT NULL,
  UNIQUE (day, query)
);
