import {
  type AdmittedCall,
  emptyMeterState,
  type Journal,
  type MeterState,
  type MonthCount,
} from './journal.ts';

/** The claims of a key's token as numbers, so that the operator can look the key up without the token. */
export interface KeyFacts {
  /** Code of the plan in the plan table. */
  readonly plan: number;
  /** Billable calls a UTC month. */
  readonly cap: number;
  /** Unix milliseconds. */
  readonly issuedAt: number;
}

/**
 * Every column is an INTEGER, and STRICT refuses anything else: only numbers can be stored. `places` holds
 * the admitted calls and `returns` the refunds, by the names that existing objects have on disk.
 */
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
 * The journal in a Durable Object's own SQLite. All statements are synchronous. The tables are created by the
 * first write: an object that was only read stores nothing.
 */
export class SqlJournal implements Journal {
  readonly #sql: SqlStorage;
  #hasTables: boolean;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    // The tables are created together, so one tells for all.
    this.#hasTables = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'revoked'").toArray().length > 0;
  }

  load(): MeterState {
    if (!this.#hasTables) return emptyMeterState;
    const calls = this.#sql
      .exec<Record<'id' | 'at' | 'month' | 'billable' | 'settle_by', number>>('SELECT * FROM places')
      .toArray()
      .map(({ billable, settle_by, ...rest }) => ({
        ...rest,
        billable: billable === 1,
        settleBy: settle_by,
      }));
    const refunds = this.#sql.exec<Record<'id' | 'at', number>>('SELECT * FROM returns').toArray();
    const months = this.#sql
      .exec<Record<'month' | 'calls' | 'billable', number>>('SELECT * FROM months')
      .toArray();
    const [revoked] = this.#sql.exec<{ at: number }>('SELECT at FROM revoked').toArray();
    return {
      calls,
      refunds: new Map(refunds.map(({ id, at }) => [id, at])),
      months: new Map(months.map(({ month, calls, billable }) => [month, { calls, billable }])),
      revokedAt: revoked?.at ?? null,
    };
  }

  loadFacts(): KeyFacts | null {
    if (!this.#hasTables) return null;
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

  putCall({ id, at, month, billable, settleBy }: AdmittedCall): void {
    this.#write(
      'INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?, ?)',
      id,
      at,
      month,
      Number(billable),
      settleBy,
    );
  }

  deleteCall(id: number): void {
    this.#write('DELETE FROM places WHERE id = ?', id);
  }

  putRefund(id: number, at: number): void {
    this.#write('INSERT OR REPLACE INTO returns VALUES (?, ?)', id, at);
  }

  deleteRefund(id: number): void {
    this.#write('DELETE FROM returns WHERE id = ?', id);
  }

  putMonth(month: number, { calls, billable }: MonthCount): void {
    this.#write('INSERT OR REPLACE INTO months VALUES (?, ?, ?)', month, calls, billable);
  }

  deleteMonth(month: number): void {
    this.#write('DELETE FROM months WHERE month = ?', month);
  }

  putRevocation(at: number): void {
    this.#write('INSERT OR REPLACE INTO revoked VALUES (1, ?)', at);
  }

  #write(statement: string, ...values: number[]): void {
    if (!this.#hasTables) this.#sql.exec(schema);
    this.#hasTables = true;
    this.#sql.exec(statement, ...values);
  }
}
