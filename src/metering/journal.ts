/** One admitted call that still counts against the rate limit, or whose outcome is not known yet. */
export interface AdmittedCall {
  /** Random number chosen by the Worker that asks for admission; the same id again means the same call. */
  readonly id: number;
  /** When it was admitted, Unix milliseconds. */
  readonly at: number;
  /** The UTC month it is counted in (see months.ts); 0 for anonymous callers, whose calls are not counted. */
  readonly month: number;
  readonly billable: boolean;
  /**
   * Unix milliseconds by which the call must be settled. One that is not settled by then is taken off its
   * month's counters, since it is not known to have been served. 0 once the call is settled.
   */
  readonly settleBy: number;
}

/** The counters of one UTC month: all that billing needs. */
export interface MonthCount {
  readonly calls: number;
  readonly billable: number;
}

/** Everything a meter remembers. All values are numbers: no key, address or image is among them. */
export interface MeterState {
  readonly calls: readonly AdmittedCall[];
  /** Id of a refunded call → when it was refunded, Unix milliseconds. */
  readonly refunds: ReadonlyMap<number, number>;
  readonly months: ReadonlyMap<number, MonthCount>;
  /** When the key was revoked, Unix milliseconds; null while it is valid. */
  readonly revokedAt: number | null;
}

/** Where a meter writes every change at once, so that storage always holds what the meter knows. */
export interface Journal {
  /** Adds the call, or replaces the one with the same id. */
  putCall(call: AdmittedCall): void;
  deleteCall(id: number): void;
  putRefund(id: number, at: number): void;
  deleteRefund(id: number): void;
  putMonth(month: number, count: MonthCount): void;
  deleteMonth(month: number): void;
  putRevocation(at: number): void;
}

/** The state of a meter that has never been used. */
export const emptyMeterState: MeterState = {
  calls: [],
  refunds: new Map(),
  months: new Map(),
  revokedAt: null,
};
