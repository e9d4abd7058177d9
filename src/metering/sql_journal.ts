import {
  type AdmittedCall,
  type Charge,
  emptyMeterState,
  type Journal,
  type MeterState,
  type MonthCount,
  type Refund,
  type Try,
} from './journal.ts';
import { accountOf, type KeyAccount, type PlanChange } from './key_account.ts';

/**
 * Every column is an INTEGER, and STRICT refuses anything else: only numbers can be stored. `places` holds
 * the admitted calls and `returns` the refunds, by the names that existing objects have on disk. Tables are
 * added but never renamed or widened: after a rollback the version before reads and writes them by position.
 * `aborts` holds the refunds of aborted calls; the first version did not have it. `key_terms` and
 * `plan_changes` are the rest of an account and `tries` are calls with an idempotency key, which objects of
 * the first two versions lack; `days` came after them.
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
  CREATE TABLE IF NOT EXISTS key_terms (
    one INTEGER PRIMARY KEY CHECK (one = 1), label INTEGER, expires_at INTEGER,
    newest_issued_at INTEGER NOT NULL, newest_used INTEGER NOT NULL,
    replaced_issued_at INTEGER, replaced_until INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS plan_changes (
    number INTEGER PRIMARY KEY, month INTEGER NOT NULL, billable INTEGER NOT NULL, plan INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS tries (
    id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, at INTEGER NOT NULL,
    counted INTEGER NOT NULL, billable INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS tries_by_hash ON tries (hash);
  CREATE INDEX IF NOT EXISTS tries_by_time ON tries (at);
  CREATE TABLE IF NOT EXISTS days (
    day INTEGER PRIMARY KEY, calls INTEGER NOT NULL, billable INTEGER NOT NULL
  ) STRICT;
`;

/** One table of each version that has added some, oldest first; each version's are created together. */
const firstTable = 'revoked';
const secondTable = 'aborts';
const thirdTable = 'tries';
const newestTable = 'days';

type Row<Column extends string> = Record<Column, number>;
type TermsRow = Row<'newest_issued_at' | 'newest_used'> &
  Record<'label' | 'expires_at' | 'replaced_issued_at' | 'replaced_until', number | null>;

/**
 * The journal in a Durable Object's own SQLite. All statements are synchronous. Tables are created by the
 * first write: an object that was only read stores nothing.
 */
export class SqlJournal implements Journal {
  readonly #sql: SqlStorage;
  /** Tables that were there before the first write. */
  readonly #tables: ReadonlySet<string>;
  /** Whether all tables are there. */
  #isCurrent: boolean;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const rows = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
    this.#tables = new Set(rows.map(({ name }) => name));
    this.#isCurrent = this.#tables.has(newestTable);
  }

  load(): MeterState {
    if (!this.#tables.has(firstTable)) return emptyMeterState;
    const calls = this.#rows<'id' | 'at' | 'month' | 'billable' | 'settle_by'>('SELECT * FROM places');
    const refused = this.#rows<'id' | 'at'>('SELECT * FROM returns');
    const aborted = this.#tables.has(secondTable) ? this.#rows<'id' | 'at'>('SELECT * FROM aborts') : [];
    const months = this.#rows<'month' | 'calls' | 'billable'>('SELECT * FROM months');
    const days = this.#tables.has(newestTable)
      ? this.#rows<'day' | 'calls' | 'billable'>('SELECT * FROM days')
      : [];
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
      days: new Map(days.map(({ day, calls, billable }) => [day, { calls, billable }])),
      revokedAt: revoked?.at ?? null,
    };
  }

  /** The account of the key; null for anonymous callers, and for keys that no call was admitted of. */
  loadAccount(): KeyAccount | null {
    if (!this.#tables.has(firstTable)) return null;
    const [row] = this.#rows<'plan' | 'cap' | 'issued_at'>('SELECT plan, cap, issued_at FROM key_facts');
    if (!row) return null;
    const facts = { plan: row.plan, cap: row.cap, issuedAt: row.issued_at };
    if (!this.#tables.has(thirdTable)) return accountOf(facts);
    const [terms] = this.#sql.exec<TermsRow>('SELECT * FROM key_terms').toArray();
    if (!terms) return accountOf(facts);
    return {
      ...facts,
      label: terms.label,
      expiresAt: terms.expires_at,
      newestIssuedAt: terms.newest_issued_at,
      newestUsed: terms.newest_used,
      replacedIssuedAt: terms.replaced_issued_at,
      replacedUntil: terms.replaced_until,
    };
  }

  putAccount(account: KeyAccount): void {
    const { plan, cap, issuedAt, label, expiresAt } = account;
    const { newestIssuedAt, newestUsed, replacedIssuedAt, replacedUntil } = account;
    this.#write('INSERT OR REPLACE INTO key_facts VALUES (1, ?, ?, ?)', plan, cap, issuedAt);
    const isAsIssued = label === null && expiresAt === null && newestIssuedAt === issuedAt;
    // A row costs money to write, and most keys stay as they were issued.
    if (isAsIssued) this.#write('DELETE FROM key_terms');
    else
      this.#write(
        'INSERT OR REPLACE INTO key_terms VALUES (1, ?, ?, ?, ?, ?, ?)',
        label,
        expiresAt,
        newestIssuedAt,
        newestUsed,
        replacedIssuedAt,
        replacedUntil,
      );
  }

  /** Oldest first. */
  loadPlanChanges(): PlanChange[] {
    if (!this.#tables.has(thirdTable)) return [];
    return this.#rows<'month' | 'billable' | 'plan'>(
      'SELECT month, billable, plan FROM plan_changes ORDER BY number',
    );
  }

  putPlanChanges(changes: readonly PlanChange[]): void {
    this.#write('DELETE FROM plan_changes');
    for (const [number, { month, billable, plan }] of changes.entries())
      this.#write('INSERT INTO plan_changes VALUES (?, ?, ?, ?)', number, month, billable, plan);
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

  putDay(day: number, { calls, billable }: MonthCount): void {
    this.#write('INSERT OR REPLACE INTO days VALUES (?, ?, ?)', day, calls, billable);
  }

  deleteDay(day: number): void {
    this.#write('DELETE FROM days WHERE day = ?', day);
  }

  putRevocation(at: number): void {
    this.#write('INSERT OR REPLACE INTO revoked VALUES (1, ?)', at);
  }

  putTry({ id, hash, at, counted, billable }: Try): void {
    const flags = [Number(counted), Number(billable)];
    this.#write('INSERT OR REPLACE INTO tries VALUES (?, ?, ?, ?, ?)', id, hash, at, ...flags);
  }

  deleteTry(id: number): void {
    this.#write('DELETE FROM tries WHERE id = ?', id);
  }

  deleteTriesUntil(at: number): void {
    this.#write('DELETE FROM tries WHERE at <= ?', at);
  }

  findTry(id: number): Try | undefined {
    return this.#tries('WHERE id = ?', id)[0];
  }

  findTries(hash: number): Try[] {
    return this.#tries('WHERE hash = ? ORDER BY at, id', hash);
  }

  oldestTry(): number | null {
    return this.#tries('ORDER BY at LIMIT 1')[0]?.at ?? null;
  }

  #tries(clause: string, ...values: number[]): Try[] {
    if (!this.#isCurrent && !this.#tables.has(thirdTable)) return [];
    const rows = this.#rows<keyof Try>(`SELECT * FROM tries ${clause}`, ...values);
    return rows.map((row) => ({ ...row, counted: row.counted === 1, billable: row.billable === 1 }));
  }

  #rows<Column extends string>(query: string, ...values: number[]): Row<Column>[] {
    return this.#sql.exec<Row<Column>>(query, ...values).toArray();
  }

  #write(statement: string, ...values: (number | null)[]): void {
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
