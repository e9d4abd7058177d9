import type { Caller, Holding, WantedShare } from './holding.ts';
import { fitsIntoKeptPart, isSmall } from './kept_part.ts';
import type { Times } from './policy_clock.ts';

/** A waiting call keeps newcomers back once this many have passed it, or once it has waited this long. */
const MOST_PASSES = 8;
const PASSED_FOR_MS = 5000;

/** A waiting call checks its turn every few milliseconds; one that has not for this long is passed over. */
const ABSENT_MS = 1000;

/** The number of recently served callers that are remembered. */
const MOST_CALLERS = 256;

/** A waiting call. */
export interface Waiter {
  readonly holding: Holding;
  readonly want: WantedShare;
  /** When it began to wait. */
  readonly since: Times;
  /** When it last checked its turn, by the turning clock. */
  polledAt: number;
  /** How often a later call went first. */
  passes: number;
  /** How many calls of its caller are at work or wait before it: its place in the round of callers. */
  turn: number;
  /** When its caller was last served, as a count of calls and jobs; 0 for never. */
  servedAt: number;
  /** Whether it needs the part kept for small calls as well. */
  readonly needsKeptPart: boolean;
  /** Whether it waits for its own caller's jobs or answers: then it keeps nobody else back. */
  waitsForOwn: boolean;
}

/** Whether the call holds nothing yet. */
export const isNewcomer = ({ holding }: Waiter): boolean => holding.bytes === 0;

/**
 * The waiting calls, in order. Calls that hold memory go before newcomers, since that memory lies idle.
 * Callers with a key go before those without. Then callers take turns: a caller's second call goes behind
 * everybody's first, and who was served last goes behind the others (round robin; J. Nagle, RFC 970). Among
 * equals the older call goes first.
 *
 * A call that fits passes those that do not. Once one of these has been passed too often, newcomers behind it
 * wait as well, except small files that fit into the part kept for small calls.
 */
export class WaitingLine {
  readonly #waiters: Waiter[] = [];
  /** When a call or job of each caller last began, the latest last. Empty while nobody calls. */
  readonly #servedAt = new Map<string, number>();
  #served = 0;
  /** Bytes that are kept for small calls, and that small calls hold. */
  readonly #kept: number;
  #smallBytes = 0;
  #holdings: ReadonlySet<Holding> = new Set();

  constructor(kept = 0) {
    this.#kept = kept;
  }

  get length(): number {
    return this.#waiters.length;
  }

  get newcomers(): number {
    return this.#waiters.filter(isStaying).length;
  }

  /**
   * The newcomer that is refused if there are too many: the last one of the caller with most calls. This may
   * be a caller with a key: otherwise its calls would send away all those of callers without one.
   */
  get lastNewcomer(): Waiter | undefined {
    const most = Math.max(...this.#waiters.filter(isStaying).map(({ turn }) => turn));
    return this.#waiters.findLast((waiter) => isStaying(waiter) && waiter.turn === most);
  }

  get all(): readonly Waiter[] {
    return this.#waiters;
  }

  add(waiter: Waiter): void {
    this.#waiters.push(waiter);
  }

  /** A call or a job of this caller begins. */
  serve(caller: Caller | undefined): void {
    if (!caller) return;
    this.#servedAt.delete(caller.id);
    this.#servedAt.set(caller.id, ++this.#served);
    for (const oldest of this.#servedAt.keys()) {
      if (this.#servedAt.size <= MOST_CALLERS) break;
      this.#servedAt.delete(oldest);
    }
  }

  /** Sorts the line. @param holdings of all calls, waiting or not */
  arrange(holdings: ReadonlySet<Holding>): void {
    this.#holdings = holdings;
    this.#smallBytes = 0;
    for (const { isSmall, bytes } of holdings) if (isSmall) this.#smallBytes += bytes;
    if (this.#waiters.length === 0) {
      if (holdings.size === 0) this.#servedAt.clear();
      return;
    }
    const turns = new Map<string, number>();
    const take = ({ caller }: Holding): number => {
      const turn = (caller && turns.get(caller.id)) ?? 0;
      if (caller) turns.set(caller.id, turn + 1);
      return turn;
    };
    for (const holding of holdings) if (holding.phase === 'working') take(holding);
    this.#waiters.sort(byAge);
    for (const waiter of this.#waiters) {
      const { caller } = waiter.holding;
      waiter.turn = take(waiter.holding);
      waiter.servedAt = (caller && this.#servedAt.get(caller.id)) ?? 0;
    }
    this.#waiters.sort(byTurn);
  }

  remove(waiter: Waiter): void {
    const at = this.#waiters.indexOf(waiter);
    if (at >= 0) this.#waiters.splice(at, 1);
  }

  /** Counts that a newcomer passes the calls that still wait ahead of it. */
  countPasses(waiter: Waiter): void {
    if (isNewcomer(waiter)) for (const other of this.#ahead(waiter)) other.passes++;
  }

  /** Whether a call ahead of it, whose caller's turn is no later, was passed too often. */
  isKeptBack(waiter: Waiter, at: Times): boolean {
    // A small file may have passed that call when it was received; its job may not if it is large.
    const isTurned = waiter.holding.isSmall && !isSmall(waiter.want, this.#kept);
    if (!isNewcomer(waiter) && !isTurned) return false;
    const mayPass = isNewcomer(waiter) && this.#fitsIntoKeptPart(waiter);
    return this.#ahead(waiter).some(
      (other) =>
        isPresent(other, at) &&
        isAged(other, at) &&
        !other.waitsForOwn &&
        isNoLater(other, waiter) &&
        !(mayPass && !other.needsKeptPart),
    );
  }

  #fitsIntoKeptPart({ want, holding: { caller } }: Waiter): boolean {
    return fitsIntoKeptPart(want, caller, this.#smallBytes, this.#holdings, this.#kept);
  }

  /** The call whose turn it is, if any. */
  next(fits: (waiter: Waiter) => boolean, at: Times): Waiter | undefined {
    return this.#waiters.find(
      (waiter) => isPresent(waiter, at) && !this.isKeptBack(waiter, at) && fits(waiter),
    );
  }

  /** The holdings of calls behind `waiter` that hold memory, the last first. */
  holdersBehind(waiter: Waiter): Holding[] {
    return this.#waiters
      .slice(this.#waiters.indexOf(waiter) + 1)
      .filter((other) => !isNewcomer(other))
      .map(({ holding }) => holding)
      .reverse();
  }

  #ahead(waiter: Waiter): Waiter[] {
    return this.#waiters.slice(0, this.#waiters.indexOf(waiter));
  }
}

const isPresent = ({ polledAt }: Waiter, { turning }: Times) => turning - polledAt <= ABSENT_MS;

const isAged = ({ passes, since }: Waiter, { wall }: Times) =>
  passes >= MOST_PASSES || wall - since.wall >= PASSED_FOR_MS;

const isAnonymous = ({ holding }: Waiter): boolean => holding.caller?.isAnonymous === true;

/** Whether it is a newcomer that was not refused. */
const isStaying = (waiter: Waiter): boolean => isNewcomer(waiter) && !waiter.holding.evicted;

const byCaller = (a: Waiter, b: Waiter): number =>
  Number(isAnonymous(a)) - Number(isAnonymous(b)) || a.turn - b.turn || a.servedAt - b.servedAt;

const isNoLater = (one: Waiter, other: Waiter): boolean => byCaller(one, other) <= 0;

const byAge = (a: Waiter, b: Waiter): number =>
  Number(isNewcomer(a)) - Number(isNewcomer(b)) || a.holding.ticket - b.holding.ticket;

const byTurn = (a: Waiter, b: Waiter): number =>
  Number(isNewcomer(a)) - Number(isNewcomer(b)) || byCaller(a, b) || a.holding.ticket - b.holding.ticket;
