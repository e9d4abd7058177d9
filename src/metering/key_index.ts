import type { KeyAccount } from './key_account.ts';
import { schemas } from './sql_tables.ts';

/** What the index holds of a key: the operator's agreement, and when it was issued and revoked. */
export interface IndexedKey extends Pick<KeyAccount, 'plan' | 'cap' | 'issuedAt' | 'label' | 'expiresAt'> {
  /** Unix milliseconds; null while the key is not revoked. */
  readonly revokedAt: number | null;
}

/** A key of the index with its id. */
export interface ListedKey extends IndexedKey {
  readonly id: string;
}

/** Some keys in the order in which they were entered. */
export interface IndexPage {
  readonly keys: readonly ListedKey[];
  /** Whether keys follow. */
  readonly more: boolean;
}

interface Row extends Record<string, number | null> {
  high: number;
  low: number;
  plan: number;
  cap: number;
  issued_at: number;
  label: number | null;
  expires_at: number | null;
  revoked_at: number | null;
}

/** The hexadecimal digits of half an id: 48 bits, which a double holds exactly. */
const HALF = 12;

/**
 * The keys that were issued, in the SQLite of the one object for them. Entries are never deleted and keep
 * their place, so whoever walks through the pages meets each key once.
 */
export class KeyIndex {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(schemas.issued_keys);
  }

  /**
   * Enters a key, or replaces its entry. A revocation stays: it is final, and an entry that arrives later may
   * have been read before it. Writes nothing if nothing changes.
   */
  put(id: string, { plan, cap, issuedAt, label, expiresAt, revokedAt }: IndexedKey): void {
    this.#sql.exec(
      `INSERT INTO issued_keys (high, low, plan, cap, issued_at, label, expires_at, revoked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (high, low) DO UPDATE SET plan = excluded.plan, cap = excluded.cap,
         label = excluded.label, expires_at = excluded.expires_at,
         revoked_at = coalesce(issued_keys.revoked_at, excluded.revoked_at)
       WHERE (plan, cap, label, expires_at, revoked_at) IS NOT
         (excluded.plan, excluded.cap, excluded.label, excluded.expires_at, excluded.revoked_at)`,
      ...halvesOf(id),
      ...[plan, cap, issuedAt, label, expiresAt, revokedAt],
    );
  }

  has(id: string): boolean {
    return this.#place(id) !== undefined;
  }

  /**
   * @param after the id of the key before the first one wanted; null for the beginning
   * @param limit most keys of the page
   * @returns null if `after` is in no page
   */
  page(after: string | null, limit: number): IndexPage | null {
    const place = after === null ? 0 : this.#place(after);
    if (place === undefined) return null;
    const query = 'SELECT * FROM issued_keys WHERE number > ? ORDER BY number LIMIT ?';
    const rows = this.#sql.exec<Row>(query, place, limit + 1).toArray();
    return { keys: rows.slice(0, limit).map(keyOf), more: rows.length > limit };
  }

  #place(id: string): number | undefined {
    const query = 'SELECT number FROM issued_keys WHERE high = ? AND low = ?';
    return this.#sql.exec<{ number: number }>(query, ...halvesOf(id)).toArray()[0]?.number;
  }
}

function halvesOf(id: string): [number, number] {
  const hex = id.slice('key_'.length);
  return [Number.parseInt(hex.slice(0, HALF), 16), Number.parseInt(hex.slice(HALF), 16)];
}

function keyOf({ high, low, plan, cap, issued_at, label, expires_at, revoked_at }: Row): ListedKey {
  const [first, last] = [high, low].map((half) => half.toString(16).padStart(HALF, '0'));
  const times = { issuedAt: issued_at, expiresAt: expires_at, revokedAt: revoked_at };
  return { id: `key_${first}${last}`, plan, cap, label, ...times };
}
