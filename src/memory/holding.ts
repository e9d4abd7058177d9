import type { Fault } from '../faults.ts';
import type { Pace } from './pace.ts';

/** A caller, as memory is shared. */
export interface Caller {
  /** The same for all calls of one caller. */
  readonly id: string;
  /** Has no key: waits behind callers with a key, and shares with all others without one. */
  readonly isAnonymous: boolean;
}

/** What one call holds, or waits to hold. */
export interface Holding {
  /** Absent if callers need not be told apart: each call then has a caller of its own. */
  readonly caller: Caller | undefined;
  /** The call's number in order of arrival. */
  readonly ticket: number;
  bytes: number;
  /** Of these, the most that lie outside of cores at one time. */
  outsideCores: number;
  /** A call is `received` from the end of its upload until it has the memory for its job. */
  phase: 'receiving' | 'received' | 'working' | 'sending';
  /** The most bytes that it may grow to while receiving. */
  most: number;
  /** Its job announces to work for long, and so keeps its memory for long (caller_shares.ts). */
  isLong: boolean;
  /** The pace of its current transfer. */
  pace: Pace | undefined;
  /** Its job may use the part kept for small calls (kept_part.ts), or its file may, whatever its job. */
  isSmall: boolean;
  /** Set while it waits for more memory. */
  waiting: boolean;
  /** Milliseconds that its call has waited so far. */
  waitedMs: number;
  /** Why its owner must give the memory back, and since when; the owner finds out at its next check. */
  evicted: { readonly fault: Fault; readonly at: number } | undefined;
}

/** What a holding should become. */
export type WantedShare = Pick<Holding, 'bytes' | 'outsideCores' | 'phase' | 'most' | 'isLong'>;
