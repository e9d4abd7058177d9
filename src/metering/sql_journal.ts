import type {
  AdmittedCall,
  Charge,
  Journal,
  MeterState,
  MonthCount,
  Refund,
  TriedContent,
  Try,
} from './journal.ts';
import { accountOf, type KeyAccount, type PlanChange } from './key_account.ts';
import { firstTables, schemas, type Table } from './sql_tables.ts';

type Row<Column extends string> = Record<Column, number>;
type TermsRow = Row<'newest_issued_at' | 'newest_used'> &
  Record<'label' | 'expires_at' | 'replaced_issued_at' | 'replaced_until', number | null>;

/**
 * The journal in a Durable Object's own SQLite. All statements are synchronous. A table takes a page of 4 KB,
 * so the first write to it creates it: an object that was only read stores nothing.
 */
export class SqlJournal implements Journal {
  readonly #sql: SqlStorage;
  readonly #tables: Set<string>;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const rows = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
    this.#tables = new Set(rows.map(({ name }) => name));
  }

  load(): MeterState {
    const calls = this.#select<Row<'id' | 'at' | 'month' | 'billable' | 'settle_by'>>('places');
    const refused = this.#select<Row<'id' | 'at'>>('returns');
    const aborted = this.#select<Row<'id' | 'at'>>('aborts');
    const months = this.#select<Row<'month' | 'calls' | 'billable'>>('months');
    const days = this.#select<Row<'day' | 'calls' | 'billable'>>('days');
    const [revoked] = this.#select<Row<'at'>>('revoked');
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

  /** The account of the key; null for anonymous callers, and for keys without an admitted call. */
  loadAccount(): KeyAccount | null {
    const [row] = this.#select<Row<'plan' | 'cap' | 'issued_at'>>('key_facts');
    if (!row) return null;
    const facts = { plan: row.plan, cap: row.cap, issuedAt: row.issued_at };
    const [terms] = this.#select<TermsRow>('key_terms');
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
    this.#put('key_facts', 1, plan, cap, issuedAt);
    const isAsIssued = label === null && expiresAt === null && newestIssuedAt === issuedAt;
    const terms = [label, expiresAt, newestIssuedAt, newestUsed, replacedIssuedAt, replacedUntil];
    // A row costs money to write, and most keys stay as they were issued.
    if (isAsIssued) this.#delete('key_terms');
    else this.#put('key_terms', 1, ...terms);
  }

  /** Oldest first. */
  loadPlanChanges(): PlanChange[] {
    const rows = this.#select<Row<keyof PlanChange>>('plan_changes', 'ORDER BY number');
    return rows.map(({ month, billable, plan }) => ({ month, billable, plan }));
  }

  putPlanChanges(changes: readonly PlanChange[]): void {
    this.#delete('plan_changes');
    for (const [number, { month, billable, plan }] of changes.entries())
      this.#put('plan_changes', number, month, billable, plan);
  }

  putCall({ id, at, month, charge, settleBy }: AdmittedCall): void {
    this.#put('places', id, at, month, Number(charge !== 'free'), settleBy);
  }

  deleteCall(id: number): void {
    this.#delete('places', 'WHERE id = ?', id);
  }

  putRefund(id: number, { at, failure }: Refund): void {
    this.#put(refundTable[failure], id, at);
  }

  deleteRefund(id: number, { failure }: Refund): void {
    this.#delete(refundTable[failure], 'WHERE id = ?', id);
  }

  putMonth(month: number, { calls, billable }: MonthCount): void {
    this.#put('months', month, calls, billable);
  }

  deleteMonth(month: number): void {
    this.#delete('months', 'WHERE month = ?', month);
  }

  putDay(day: number, { calls, billable }: MonthCount): void {
    this.#put('days', day, calls, billable);
  }

  deleteDay(day: number): void {
    this.#delete('days', 'WHERE day = ?', day);
  }

  putRevocation(at: number): void {
    this.#put('revoked', 1, at);
  }

  putTry({ id, hash, at, counted, billable }: Try): void {
    this.#put('tries', id, hash, at, Number(counted), Number(billable));
  }

  deleteTry(id: number): void {
    this.#delete('tries', 'WHERE id = ?', id);
  }

  deleteTriesUntil(at: number): void {
    this.#delete('tries', 'WHERE at <= ?', at);
    this.#delete('contents', 'WHERE at <= ?', at);
  }

  moveTriesBackTo(at: number): void {
    for (const table of ['tries', 'contents'] as const)
      if (this.#tables.has(table)) this.#sql.exec(`UPDATE ${table} SET at = ? WHERE at > ?`, at, at);
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

  newestTry(): number | null {
    return this.#tries('ORDER BY at DESC LIMIT 1')[0]?.at ?? null;
  }

  putContent({ hash, content, at }: TriedContent): void {
    this.#put('contents', hash, content, at);
  }

  deleteContent(hash: number): void {
    this.#delete('contents', 'WHERE hash = ?', hash);
  }

  findContent(hash: number): TriedContent | undefined {
    return this.#select<Row<keyof TriedContent>>('contents', 'WHERE hash = ?', hash)[0];
  }

  #tries(clause: string, ...values: number[]): Try[] {
    const rows = this.#select<Row<keyof Try>>('tries', clause, ...values);
    return rows.map((row) => ({ ...row, counted: row.counted === 1, billable: row.billable === 1 }));
  }

  #select<R extends Record<string, number | null>>(table: Table, clause = '', ...values: number[]): R[] {
    if (!this.#tables.has(table)) return [];
    return this.#sql.exec<R>(`SELECT * FROM ${table} ${clause}`, ...values).toArray();
  }

  #delete(table: Table, clause = '', ...values: number[]): void {
    if (this.#tables.has(table)) this.#sql.exec(`DELETE FROM ${table} ${clause}`, ...values);
  }

  /** Adds a row, or replaces the one with the same first value. */
  #put(table: Table, ...values: (number | null)[]): void {
    if (!this.#tables.has(table)) this.#create(table);
    const places = values.map(() => '?').join(', ');
    this.#sql.exec(`INSERT OR REPLACE INTO ${table} VALUES (${places})`, ...values);
  }

  #create(table: Table): void {
    // The record of a key's issue, which version 1.0.0 does not have, is an account and nothing else.
    const isOneOfMany = table !== 'key_facts' && firstTables.includes(table);
    for (const each of isOneOfMany ? firstTables : [table]) {
      this.#sql.exec(schemas[each]);
      this.#tables.add(each);
    }
  }
}

const refundTable = { refused: 'returns', aborted: 'aborts' } as const;

/**
 * The charge of a stored call. A failed call that keeps its place is stored as a billable call of month 0.
 * The first version, which knows only free and billable calls, then takes it neither for the free call of its
 * window nor for one to be charged.
 */
function chargeOf(month: number, billable: number): Charge {
  if (billable === 0) return 'free';
  return month === 0 ? 'failed' : 'billable';
}
