import { emptyState, type Journal, type MeterState, type MonthCount, type Place } from './journal.ts';

/** What a key's token says of it, in numbers, so that the operator can look the key up without the token. */
export interface KeyFacts {
  /** Code of the plan in the plan table. */
  readonly plan: number;
  /** Billable calls a UTC month. */
  readonly cap: number;
  /** Unix milliseconds. */
  readonly issuedAt: number;
}

/** Every column is an INTEGER: numbers are all that can be stored here (STRICT refuses anything else). */
const schema = `
  CREATE TABLE IF NOT EXISTS places (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, month INTEGER NOT NULL,
    billable INTEGER NOT NULL, settle_by INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS returns (id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS months (
    month INTEGER PRIMARY KEY, calls INTEGER NOT NULL, billable INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS key_facts (
    one INTEGER PRIMARY KEY CHECK (one = 1), plan INTEGER NOT NULL, cap INTEGER NOT NULL, issued_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS revoked (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) STRICT;
`;

/**
 * The journal in a Durable Object's own SQLite. All statements are synchronous. The tables come into being
 * with the first write: an object that was only read stores nothing.
 */
export class SqlJournal implements Journal {
  readonly #sql: SqlStorage;
  #ready: boolean;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    // The tables are made together, so one stands for all.
    this.#ready = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'revoked'").toArray().length > 0;
  }

  load(): MeterState {
    if (!this.#ready) return emptyState;
    const places = this.#sql
      .exec<Record<'id' | 'at' | 'month' | 'billable' | 'settle_by', number>>('SELECT * FROM places')
      .toArray()
      .map(({ billable, settle_by, ...rest }) => ({
        ...rest,
        billable: billable === 1,
        settleBy: settle_by,
      }));
    const returns = this.#sql.exec<Record<'id' | 'at', number>>('SELECT * FROM returns').toArray();
    const months = this.#sql
      .exec<Record<'month' | 'calls' | 'billable', number>>('SELECT * FROM months')
      .toArray();
    const [revoked] = this.#sql.exec<{ at: number }>('SELECT at FROM revoked').toArray();
    return {
      places,
      returns: new Map(returns.map(({ id, at }) => [id, at])),
      months: new Map(months.map(({ month, calls, billable }) => [month, { calls, billable }])),
      revokedAt: revoked?.at ?? null,
    };
  }

  loadFacts(): KeyFacts | null {
    if (!this.#ready) return null;
    const [row] = this.#sql
      .exec<Record<'plan' | 'cap' | 'issued_at', number>>('SELECT plan, cap, issued_at FROM key_facts')
      .toArray();
    return row ? { plan: row.plan, cap: row.cap, issuedAt: row.issued_at } : null;
  }

  putFacts(facts: KeyFacts): void {
    this.#write(
      'INSERT OR REPLACE INTO key_facts VALUES (1, ?, ?, ?)',
      facts.plan,
      facts.cap,
      facts.issuedAt,
    );
  }

  putPlace({ id, at, month, billable, settleBy }: Place): void {
    this.#write(
      'INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?, ?)',
      id,
      at,
      month,
      Number(billable),
      settleBy,
    );
  }

  dropPlace(id: number): void {
    this.#write('DELETE FROM places WHERE id = ?', id);
  }

  putReturn(id: number, at: number): void {
    this.#write('INSERT OR REPLACE INTO returns VALUES (?, ?)', id, at);
  }

  dropReturn(id: number): void {
    this.#write('DELETE FROM returns WHERE id = ?', id);
  }

  putMonth(month: number, { calls, billable }: MonthCount): void {
    this.#write('INSERT OR REPLACE INTO months VALUES (?, ?, ?)', month, calls, billable);
  }

  dropMonth(month: number): void {
    this.#write('DELETE FROM months WHERE month = ?', month);
  }

  putRevoked(at: number): void {
    this.#write('INSERT OR REPLACE INTO revoked VALUES (1, ?)', at);
  }

  #write(statement: string, ...values: number[]): void {
    if (!this.#ready) this.#sql.exec(schema);
    this.#ready = true;
    this.#sql.exec(statement, ...values);
  }
}
