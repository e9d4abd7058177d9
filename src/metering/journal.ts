/** One admitted call whose outcome or whose place in the window still matters. */
export interface Place {
  /** Chosen at random by whoever admits the call; the same id again is the same call. */
  readonly id: number;
  /** When it was admitted, Unix milliseconds. */
  readonly at: number;
  /**
   * The UTC month whose counters hold it (see months.ts); 0 where calls are not counted, as for anonymous
   * callers.
   */
  readonly month: number;
  readonly billable: boolean;
  /**
   * How the call ended must be known by then, or it never ended well and is not counted; 0 once it is
   * settled.
   */
  readonly settleBy: number;
}

/** The counters of one UTC month: all that billing needs. */
export interface MonthCount {
  readonly calls: number;
  readonly billable: number;
}

/**
 * All that a meter remembers. Every value is a number (or a yes/no): no key, address, or image is among them.
 */
export interface MeterState {
  readonly places: readonly Place[];
  /** Call id → when it was given back. */
  readonly returns: ReadonlyMap<number, number>;
  readonly months: ReadonlyMap<number, MonthCount>;
  /** When the key was revoked; null while it is valid. */
  readonly revokedAt: number | null;
}

/** Where a meter writes each change as it makes it, so that what is stored is always all that it knows. */
export interface Journal {
  /** Adds the place, or replaces the one with this id. */
  putPlace(place: Place): void;
  dropPlace(id: number): void;
  putReturn(id: number, at: number): void;
  dropReturn(id: number): void;
  putMonth(month: number, count: MonthCount): void;
  dropMonth(month: number): void;
  putRevoked(at: number): void;
}

/** A meter that has never been used. */
export const emptyState: MeterState = { places: [], returns: new Map(), months: new Map(), revokedAt: null };
