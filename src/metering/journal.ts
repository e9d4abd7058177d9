/**
 * What an admitted call costs: nothing, as the free call of its window; the price of the plan; or nothing
 * because it failed and only keeps its place in the window.
 */
export type Charge = 'free' | 'billable' | 'failed';

/**
 * How a call ended without being served: it was refused (4xx), the service failed (5xx), or the client went
 * away before the answer.
 */
export type CallFailure = 'refused' | 'server_error' | 'aborted';

/** One admitted call that still counts against the rate limit, or whose outcome is not known yet. */
export interface AdmittedCall {
  /** Random number chosen by the Worker that asks for admission; the same id again means the same call. */
  readonly id: number;
  /** When it was admitted, Unix milliseconds. */
  readonly at: number;
  /**
   * The UTC month it is counted in (see months.ts); 0 for calls in no month's counters: those of anonymous
   * callers, and failed ones.
   */
  readonly month: number;
  readonly charge: Charge;
  /**
   * Unix milliseconds by which the call must be settled. If it is not, it is taken off its month's counters,
   * since nobody knows whether it was served. 0 once its outcome is known.
   */
  readonly settleBy: number;
}

/** The counters of one UTC month: all that billing needs. */
export interface MonthCount {
  readonly calls: number;
  readonly billable: number;
}

/** A failed call whose place in the window was given back. */
export interface Refund {
  /** When it was given back, Unix milliseconds. */
  readonly at: number;
  readonly failure: 'refused' | 'aborted';
}

/** One try of a call with an idempotency key. */
export interface Try {
  /** The id of the admitted call. */
  readonly id: number;
  /** 53 bits of the hash of the idempotency key. */
  readonly hash: number;
  /** When the first try of the call was admitted, Unix milliseconds. */
  readonly at: number;
  /** Whether this is the try that is counted. */
  readonly counted: boolean;
  /** Whether the counted try is charged. */
  readonly billable: boolean;
}

/** The picture and ops that the tries of a call have in common, as a hash. */
export interface TriedContent {
  /** As of the tries. */
  readonly hash: number;
  /** 53 bits of a keyed hash of picture and ops. */
  readonly content: number;
  /** As of the tries: when the first one was admitted. */
  readonly at: number;
}

/** Everything a meter remembers. All values are numbers: no key, address or image is among them. */
export interface MeterState {
  readonly calls: readonly AdmittedCall[];
  /** By the id of the refunded call. */
  readonly refunds: ReadonlyMap<number, Refund>;
  readonly months: ReadonlyMap<number, MonthCount>;
  /** By UTC day: the counters of its month before its first call (see day_marks.ts). */
  readonly days: ReadonlyMap<number, MonthCount>;
  /** When the key was revoked, Unix milliseconds; null while it is valid. */
  readonly revokedAt: number | null;
}

/**
 * Where a meter writes every change at once, so that storage always holds what the meter knows. Tries are
 * read from it too: they are not kept in memory.
 */
export interface Journal {
  /** Adds the call, or replaces the one with the same id. */
  putCall(call: AdmittedCall): void;
  deleteCall(id: number): void;
  putRefund(id: number, refund: Refund): void;
  deleteRefund(id: number, refund: Refund): void;
  putMonth(month: number, count: MonthCount): void;
  deleteMonth(month: number): void;
  putDay(day: number, mark: MonthCount): void;
  deleteDay(day: number): void;
  putRevocation(at: number): void;
  /** Adds the try, or replaces the one with the same id. */
  putTry(each: Try): void;
  deleteTry(id: number): void;
  /** Deletes all tries of calls that were first tried at this time or before, and their contents. */
  deleteTriesUntil(at: number): void;
  /** Sets the times of all tries and contents that are later than this to this. */
  moveTriesBackTo(at: number): void;
  findTry(id: number): Try | undefined;
  /** All tries with this hash by time and id. */
  findTries(hash: number): Try[];
  /** Unix milliseconds of the oldest try; null for none. */
  oldestTry(): number | null;
  /** Unix milliseconds of the newest try; null for none. */
  newestTry(): number | null;
  /** Records the content of the tries with this hash, and replaces any content recorded before. */
  putContent(content: TriedContent): void;
  deleteContent(hash: number): void;
  findContent(hash: number): TriedContent | undefined;
}

/** The state of a meter that has never been used. */
export const emptyMeterState: MeterState = {
  calls: [],
  refunds: new Map(),
  months: new Map(),
  days: new Map(),
  revokedAt: null,
};
