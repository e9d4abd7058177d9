import { limitFault } from './faults.ts';
import { type Call, RecentCalls } from './recent_calls.ts';
import { RunQueue } from './run_queue.ts';
import { COUNTED_TIMES, MAX_COUNTED_WORK } from './work.ts';

/**
 * Lets other jobs and requests run while a long one works. One thread serves an isolate, so whoever drives a
 * reading counts the pixels it works on and hands the thread back now and then. What is counted is work done,
 * in the nanoseconds that it usually takes: clocks stand still in production.
 */
export interface TimeSlice {
  /**
   * Counts work.
   * @param pixels read, or what takes as long (src/work.ts)
   * @throws Fault 'limit' where a job has counted more than MAX_COUNTED_WORK
   * @returns where the slice is used up, what to wait for before going on; it rejects when the job is aborted
   */
  spend(pixels: number): Promise<void> | undefined;
  /** As `spend`, for work that is no reading, in nanoseconds; it does not count for MAX_COUNTED_WORK. */
  spendTime(nanoseconds: number): Promise<void> | undefined;
  /**
   * Ends the slice before work that takes about one, such as opening a profile's tables, and leaves
   * nothing of the next one: what follows that work waits for a turn of its own.
   */
  end(): Promise<void> | undefined;
}

/** The time of one job. */
export interface JobTime {
  /** As `TimeSlice.spend`, for work in nanoseconds. */
  spend(nanoseconds: number): Promise<void> | undefined;
  /** Tells the nanoseconds that the job's header and ops announce: it counts for that much from now on. */
  announce(nanoseconds: number): void;
  /**
   * For who counts pixels, each of which takes so long.
   * @param isSteady none takes longer: slices are longer while no equal or smaller call is recent
   */
  perPixel(nanoseconds: number, isSteady?: boolean): TimeSlice;
}

/**
 * Nanoseconds of one slice. A turn takes workerd more than a millisecond, however little there is to do, so
 * slices are as long as a job of one megapixel bears beside a large one (docs/benchmarks.md).
 */
const SLICE_TIME = 10_000_000;

/**
 * Nanoseconds that are counted for a job beside its pixels: scanning, instances, tables, a refusal. A loop
 * over small files so gives a turn every few of them. Without any, what they drop would never be collected:
 * between jobs of `await` alone the event loop does not go round, and the runtime keeps what a WeakRef was
 * asked for.
 */
export const JOB_TIME = SLICE_TIME / 8;

/** A job counts for so much at least: of many small ones beside each other, none stands back. */
const LEAST_SIZE = SLICE_TIME / 2;
/** What counts of a small job's steady pixels where no recent call waits for the end of its slice. */
const SHARE_ALONE = 1 / 2;
/** Longer pieces count in full: what takes long at once may as well take longer than usual. */
const MOST_AT_ONCE = SLICE_TIME / 3;

/** What all jobs share that take their turns of the same. */
interface SharedThread {
  /** Nanoseconds of the present slice that are left. */
  left: number;
  readonly queue: RunQueue;
  readonly recent: RecentCalls;
  /** A call has come, and nobody has noticed since that the event loop went round. */
  hasBegun: boolean;
}

/** By what gives a turn. */
const threads = new WeakMap<() => Promise<void>, SharedThread>();
/** By what ends a call. */
const calls = new WeakMap<object, Call>();

/**
 * Resolves when the event loop has gone round: by an immediate, where there are any (Node, workerd). A timer
 * sleeps a millisecond in both at the least, two and more in workerd.
 */
export const nextTurn = () =>
  new Promise<void>((done) => {
    if (typeof setImmediate === 'function') setImmediate(done);
    else setTimeout(done);
  });

function threadOf(giveTurn: () => Promise<void>): SharedThread {
  let thread = threads.get(giveTurn);
  if (!thread) {
    thread = { left: SLICE_TIME, queue: new RunQueue(giveTurn), recent: new RecentCalls(), hasBegun: false };
    threads.set(giveTurn, thread);
  }
  return thread;
}

/** The call that a signal ends, which comes or goes on. */
function callOf({ recent }: SharedThread, signal: AbortSignal | undefined): Call {
  const call = (signal && calls.get(signal)) ?? recent.come(LEAST_SIZE);
  if (signal) calls.set(signal, call);
  recent.notice(call);
  return call;
}

/**
 * To be called when a call has come. Jobs at work give it shorter slices from here on: its counter and its
 * body take turns, too. What earlier calls have left of a slice is made up to a whole one, as the event loop
 * has gone round to bring it; once in each round, however many come.
 */
export function callHasCome(signal?: AbortSignal, giveTurn = nextTurn): void {
  const thread = threadOf(giveTurn);
  callOf(thread, signal);
  if (!thread.hasBegun && thread.queue.isEmpty) thread.left = SLICE_TIME;
  thread.hasBegun = true;
}

/** To be called once it is known whose call it is: callers share the thread, however many calls each has. */
export function callIsOf(caller: string, signal: AbortSignal, giveTurn = nextTurn): void {
  callOf(threadOf(giveTurn), signal).caller = caller;
}

/**
 * To be called when a call has ended, and the event loop has gone round for another reason than a turn. (One
 * begun for every call that comes would tell as much; large jobs then took more of the thread while that call
 * was answered.)
 */
export function callHasEnded(signal: AbortSignal, giveTurn = nextTurn): void {
  const thread = threadOf(giveTurn);
  const call = calls.get(signal);
  if (call) call.seen = Number.NEGATIVE_INFINITY;
  thread.hasBegun = false;
}

/**
 * The time of one job, or of what a call does before its job. There is one rule: a job counts for what it has
 * done or for what it has announced, whichever is more, and for half a slice at least. Beside a small one
 * it works for a part of a slice, as much shorter as it is larger (recent_calls.ts), and lets one of less
 * than a quarter go first (run_queue.ts). So a call whose picture is large stands back from the moment that
 * its header is read.
 * @param giveTurn resolves when the event loop has gone round
 * @param signal ends the job at its next turn; what has the same one is the same call, which does not give
 * way to itself
 */
export function jobTime(giveTurn: () => Promise<void>, signal?: AbortSignal): JobTime {
  const thread = threadOf(giveTurn);
  const call = callOf(thread, signal);
  let done = 0;
  const grow = (size: number) => {
    call.size = Math.max(call.size, size);
    thread.recent.notice(call);
  };
  const turn = async () => {
    thread.left = SLICE_TIME;
    thread.recent.turn();
    const { size, caller, came } = call;
    await thread.queue.turn({ size, caller, came, isBesideSmall: () => thread.recent.isBesideSmall(call) });
    thread.hasBegun = false;
    thread.left = SLICE_TIME;
    signal?.throwIfAborted();
  };
  const spend = (nanoseconds: number, isSteady = false) => {
    done += nanoseconds;
    grow(done);
    // Also where it has begun as a whole one: of another job, or before this one's header was read.
    thread.left = Math.min(thread.left, SLICE_TIME * thread.recent.shareOf(call));
    const isLonger = isSteady && nanoseconds <= MOST_AT_ONCE && thread.recent.isAlone(call);
    thread.left -= isLonger ? nanoseconds * SHARE_ALONE : nanoseconds;
    return thread.left > 0 ? undefined : turn();
  };
  const end = async () => {
    await turn();
    done += SLICE_TIME;
    grow(done);
    thread.left = 0;
  };
  let counted = 0;
  const perPixel = (nanoseconds: number, isSteady = false): TimeSlice => ({
    spend(pixels) {
      counted += pixels;
      if (counted > MAX_COUNTED_WORK)
        throw limitFault(`It took more than ${COUNTED_TIMES} times the work that a call may announce`);
      return spend(pixels * nanoseconds, isSteady);
    },
    spendTime: spend,
    end,
  });
  return { spend, announce: grow, perPixel };
}

/**
 * Runs to its end what yields its work.
 * @param slice lets other jobs run on the way
 */
export async function inTurns<Result>(
  parts: Generator<number, Result>,
  slice: Pick<TimeSlice, 'spend'>,
): Promise<Result> {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
    const pause = slice.spend(value);
    if (pause) await pause;
  }
}

/** For work that nobody waits beside. */
export const uninterrupted: TimeSlice = {
  spend: () => undefined,
  spendTime: () => undefined,
  end: () => undefined,
};
