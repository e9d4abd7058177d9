import type { Fault } from '../faults.ts';
import type { Pace } from './pace.ts';

/** Who calls, as far as sharing memory goes. */
export interface Caller {
  /** The same for all calls of one caller. */
  readonly id: string;
  /** Without a key: waits behind those who have one, and shares with all others of its kind. */
  readonly isAnonymous: boolean;
}

/** What one call holds, or waits to hold. */
export interface Holding {
  /** Absent where nobody has to be told apart: each call is then a caller of its own. */
  readonly caller: Caller | undefined;
  /** Calls in the order in which they came. */
  readonly ticket: number;
  bytes: number;
  /** Of these, the most that lie anywhere but in cores at one time. */
  outsideCores: number;
  /** A call with its whole file in hand is `received` until it has what its job takes. */
  phase: 'receiving' | 'received' | 'working' | 'sending';
  /** The most bytes that it may come to hold while it is receiving. */
  most: number;
  /** Its job announces to work for long, and keeps its memory for that long (caller_shares.ts). */
  isLong: boolean;
  /** Of a transfer that is going on. */
  pace: Pace | undefined;
  /** Its job may take of what is kept for small calls (kept_part.ts), or its file, whatever its job. */
  isSmall: boolean;
  /** Set while it waits for more than it holds. */
  waiting: boolean;
  /** Milliseconds that its call has waited so far. */
  waitedMs: number;
  /** Why its owner has to give it back; the owner finds out when it looks next. */
  taken: { readonly fault: Fault; readonly at: number } | undefined;
}

/** What a holding is to become. */
export type WantedShare = Pick<Holding, 'bytes' | 'outsideCores' | 'phase' | 'most' | 'isLong'>;
