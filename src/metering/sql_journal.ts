import {
  type AdmittedCall,
  type Charge,
  emptyMeterState,
  type Journal,
  type MeterState,
  type MonthCount,
  type Refund,
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
 * the admitted calls and `returns` the refunds, by the names that existing objects have on disk. Tables are
 * added but never renamed or widened: after a rollback the version before reads and writes them by position.
 * `aborts` holds the refunds of aborted calls; the first version did not have it.
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
  CREATE TABLE IF NOT EXISTS aborts (id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;
`;

type Row<Column extends string> = Record<Column, number>;

/**
 * The journal in a Durable Object's own SQLite. All statements are synchronous. Tables are created by the
 * first write: an object that was only read stores nothing.
 */
export class SqlJournal implements Journal {
  readonly #sql: SqlStorage;
  /** Whether the tables of the first version are there. */
  readonly #wasUsed: boolean;
  /** Whether all tables are there. */
  #isCurrent: boolean;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const names = sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name IN ('revoked', 'aborts')")
      .toArray()
      .map(({ name }) => name);
    // The tables of one version are created together, so one tells for all.
    this.#wasUsed = names.includes('revoked');
    this.#isCurrent = names.includes('aborts');
  }

  load(): MeterState {
    if (!this.#wasUsed) return emptyMeterState;
    const calls = this.#rows<'id' | 'at' | 'month' | 'billable' | 'settle_by'>('SELECT * FROM places');
    const refused = this.#rows<'id' | 'at'>('SELECT * FROM returns');
    const aborted = this.#isCurrent ? this.#rows<'id' | 'at'>('SELECT * FROM aborts') : [];
    const months = this.#rows<'month' | 'calls' | 'billable'>('SELECT * FROM months');
    const [revoked] = this.#rows<'at'>('SELECT at FROM revoked');
    return {
      calls: calls.map(({ id, at, month, billable, settle_by }) => ({
        id,
        at,
        month,
        charge: chargeOf(month, billable),
        settleBy: settle_by,
      })),
      refunds: new Map<number, Refund>([
        ...refused.map(({ id, at }) => [id, { at, failure: 'refused' }] as const),
        ...aborted.map(({ id, at }) => [id, { at, failure: 'aborted' }] as const),
      ]),
      months: new Map(months.map(({ month, calls, billable }) => [month, { calls, billable }])),
      revokedAt: revoked?.at ?? null,
    };
  }

  loadFacts(): KeyFacts | null {
    if (!this.#wasUsed) return null;
    const [row] = this.#rows<'plan' | 'cap' | 'issued_at'>('SELECT plan, cap, issued_at FROM key_facts');
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

  putCall({ id, at, month, charge, settleBy }: AdmittedCall): void {
    const billable = Number(charge !== 'free');
    this.#write('INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?, ?)', id, at, month, billable, settleBy);
  }

  deleteCall(id: number): void {
    this.#write('DELETE FROM places WHERE id = ?', id);
  }

  putRefund(id: number, { at, failure }: Refund): void {
    this.#write(`INSERT OR REPLACE INTO ${refundTable[failure]} VALUES (?, ?)`, id, at);
  }

  deleteRefund(id: number, { failure }: Refund): void {
    this.#write(`DELETE FROM ${refundTable[failure]} WHERE id = ?`, id);
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

  #rows<Column extends string>(query: string): Row<Column>[] {
    return this.#sql.exec<Row<Column>>(query).toArray();
  }

  #write(statement: string, ...values: number[]): void {
    if (!this.#isCurrent) this.#sql.exec(schema);
    this.#isCurrent = true;
    this.#sql.exec(statement, ...values);
  }
}

const refundTable = { refused: 'returns', aborted: 'aborts' } as const;

/**
 * The charge of a stored call. A failed call that keeps its place is stored as a billable one of no month:
 * the first version, which knows only free and billable calls, takes it for neither the free call of its
 * window nor one to be charged.
 */
function chargeOf(month: number, billable: number): Charge {
  if (billable === 0) return 'free';
  return month === 0 ? 'failed' : 'billable';
}
