/**
 * The tables of a Durable Object. Every column is an INTEGER, and STRICT refuses anything else: only numbers
 * can be stored.
 *
 * `places` holds the admitted calls, `returns` the refunds, and `aborts` those of aborted calls; `key_facts`
 * and `key_terms` are a key's account; `tries` are calls with an idempotency key, `contents` the hashes of
 * what was tried; `issued_keys`, which only one object has, is the index of keys (key_index.ts), with the
 * upper and the lower 48 bits of their ids. Tables are added but never renamed or widened: after a rollback,
 * the previous version reads and writes them by position.
 */
export const schemas = {
  places: `CREATE TABLE IF NOT EXISTS places (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, month INTEGER NOT NULL,
    billable INTEGER NOT NULL, settle_by INTEGER NOT NULL
  ) STRICT;`,
  returns: 'CREATE TABLE IF NOT EXISTS returns (id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;',
  months: `CREATE TABLE IF NOT EXISTS months (
    month INTEGER PRIMARY KEY, calls INTEGER NOT NULL, billable INTEGER NOT NULL
  ) STRICT;`,
  key_facts: `CREATE TABLE IF NOT EXISTS key_facts (
    one INTEGER PRIMARY KEY CHECK (one = 1), plan INTEGER NOT NULL, cap INTEGER NOT NULL,
    issued_at INTEGER NOT NULL
  ) STRICT;`,
  revoked: `CREATE TABLE IF NOT EXISTS revoked (
    one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL
  ) STRICT;`,
  aborts: 'CREATE TABLE IF NOT EXISTS aborts (id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;',
  key_terms: `CREATE TABLE IF NOT EXISTS key_terms (
    one INTEGER PRIMARY KEY CHECK (one = 1), label INTEGER, expires_at INTEGER,
    newest_issued_at INTEGER NOT NULL, newest_used INTEGER NOT NULL,
    replaced_issued_at INTEGER, replaced_until INTEGER
  ) STRICT;`,
  plan_changes: `CREATE TABLE IF NOT EXISTS plan_changes (
    number INTEGER PRIMARY KEY, month INTEGER NOT NULL, billable INTEGER NOT NULL, plan INTEGER NOT NULL
  ) STRICT;`,
  tries: `CREATE TABLE IF NOT EXISTS tries (
    id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, at INTEGER NOT NULL,
    counted INTEGER NOT NULL, billable INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS tries_by_hash ON tries (hash);
  CREATE INDEX IF NOT EXISTS tries_by_time ON tries (at);`,
  contents: `CREATE TABLE IF NOT EXISTS contents (
    hash INTEGER PRIMARY KEY, content INTEGER NOT NULL, at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS contents_by_time ON contents (at);`,
  days: `CREATE TABLE IF NOT EXISTS days (
    day INTEGER PRIMARY KEY, calls INTEGER NOT NULL, billable INTEGER NOT NULL
  ) STRICT;`,
  issued_keys: `CREATE TABLE IF NOT EXISTS issued_keys (
    number INTEGER PRIMARY KEY, high INTEGER NOT NULL, low INTEGER NOT NULL,
    plan INTEGER NOT NULL, cap INTEGER NOT NULL, issued_at INTEGER NOT NULL,
    label INTEGER, expires_at INTEGER, revoked_at INTEGER, UNIQUE (high, low)
  ) STRICT;`,
} as const;
export type Table = keyof typeof schemas;

/** The tables that version 1.0.0 creates together: if it finds `revoked`, it reads all of them. */
export const firstTables: readonly Table[] = ['places', 'returns', 'months', 'key_facts', 'revoked'];
