import { limitFault } from '../faults.ts';
import { type Call, RecentCalls } from './recent_calls.ts';
import { RunQueue } from './run_queue.ts';
import { COUNTED_TIMES, MAX_COUNTED_WORK } from './work.ts';

/**
 * Lets other jobs and requests run during a long job. An isolate has one thread, so whoever drives a read
 * counts the pixels it works on and gives the thread back now and then. It counts work in the nanoseconds
 * that such work usually takes, as clocks stand still in production.
 */
export interface TimeSlice {
  /**
   * Counts work.
   * @param pixels read, or other work as pixels that take as long (src/scheduling/work.ts)
   * @throws Fault 'limit' when the job has counted more than MAX_COUNTED_WORK
   * @returns if the slice is used up, what to await before going on; it rejects when the job is aborted
   */
  spend(pixels: number): Promise<void> | undefined;
  /** As `spend`, for work other than reading, in nanoseconds; it does not count towards MAX_COUNTED_WORK. */
  spendTime(nanoseconds: number): Promise<void> | undefined;
  /**
   * Ends the slice before work that takes about a whole slice, such as opening a profile's tables. That work
   * uses up the next slice, so whatever follows it waits for another turn.
   */
  end(): Promise<void> | undefined;
}

/** The time of one job. */
export interface JobTime {
  /** As `TimeSlice.spend`, for work in nanoseconds. */
  spend(nanoseconds: number): Promise<void> | undefined;
  /**
   * Sets the nanoseconds of work that header and ops announce. From now on the job counts for at least that
   * much.
   */
  announce(nanoseconds: number): void;
  /**
   * A slice that counts pixels.
   * @param nanoseconds that one pixel takes
   * @param isSteady no pixel takes longer: slices are then longer while no equal or smaller call is recent
   */
  perPixel(nanoseconds: number, isSteady?: boolean): TimeSlice;
}

/**
 * Nanoseconds of one slice. In workerd a turn takes more than a millisecond, even if there is nothing to do.
 * So slices are as long as a job of one megapixel can tolerate beside a large one (docs/benchmarks.md).
 */
const SLICE_TIME = 10_000_000;

/**
 * Nanoseconds that are counted for a job in addition to its pixels: scanning, instances, tables, a refusal.
 * So a loop over small files gives a turn every few files. Without turns, what the files leave behind would
 * never be collected: while jobs only `await` each other, the event loop does not go round, and the runtime
 * keeps every object that a WeakRef was asked for.
 */
export const JOB_TIME = SLICE_TIME / 8;

/** The least size of a job, so that among many small jobs none stands back. */
const LEAST_SIZE = SLICE_TIME / 2;
/**
 * The share that is counted of a small job's steady pixels while no recent call waits for the end of its
 * slice.
 */
const SHARE_ALONE = 1 / 2;
/** Longer pieces count in full: work that takes this long at once may well take longer than usual. */
const MOST_AT_ONCE = SLICE_TIME / 3;

/** What all jobs with the same `giveTurn` share. */
interface SharedThread {
  /** Nanoseconds left of the current slice. */
  left: number;
  readonly queue: RunQueue;
  readonly recent: RecentCalls;
  /** A call has arrived, and the event loop has not been seen to go round since. */
  hasBegun: boolean;
}

/** The threads by their `giveTurn`. */
const threads = new WeakMap<() => Promise<void>, SharedThread>();
/** The calls by the signal that ends them. */
const calls = new WeakMap<object, Call>();

/**
 * Resolves when the event loop has gone round. Uses `setImmediate` where it exists (Node, workerd): a timer
 * sleeps at least 1 ms in both, and 2 ms or more in workerd.
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

/** The call that this signal ends, or a new one. It counts as recent from now on. */
function callOf({ recent }: SharedThread, signal: AbortSignal | undefined): Call {
  const call = (signal && calls.get(signal)) ?? recent.arrive(LEAST_SIZE);
  if (signal) calls.set(signal, call);
  recent.notice(call);
  return call;
}

/**
 * Call this when a call arrives. From now on running jobs take shorter slices, since the call's counter and
 * body need turns, too. The event loop has gone round to deliver the call, so a new slice begins if no job
 * waits for its turn; once in each round, however many calls arrive.
 */
export function callArrived(signal?: AbortSignal, giveTurn = nextTurn): void {
  const thread = threadOf(giveTurn);
  callOf(thread, signal);
  if (!thread.hasBegun && thread.queue.isEmpty) thread.left = SLICE_TIME;
  thread.hasBegun = true;
}

/** Call this once it is known whose call it is: callers share the thread, however many calls each has. */
export function callBelongsTo(caller: string, signal: AbortSignal, giveTurn = nextTurn): void {
  callOf(threadOf(giveTurn), signal).caller = caller;
}

/**
 * Call this when a call has ended and the event loop has gone round without a turn: the next call to arrive
 * may then begin a new slice. (Beginning a turn for every arriving call would show this, too. But then large
 * jobs would take more of the thread while that call is answered.)
 */
export function callEnded(signal: AbortSignal, giveTurn = nextTurn): void {
  const thread = threadOf(giveTurn);
  const call = calls.get(signal);
  if (call) call.seen = Number.NEGATIVE_INFINITY;
  thread.hasBegun = false;
}

/**
 * The time of one job, or of what a call does before its job. One rule decides: a job counts for the work
 * that it has done or announced, whichever is more, and for at least half a slice. Beside a smaller job it
 * gets only a part of a slice: the larger it is, the shorter the part (recent_calls.ts). It lets jobs of less
 * than a quarter of its size go first (run_queue.ts). So a call with a large picture stands back as soon as
 * its header is read.
 * @param giveTurn resolves when the event loop has gone round
 * @param signal ends the job at its next turn; everything with the same signal belongs to one call, which
 * does not give way to itself
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
    await thread.queue.turn({ size, caller, came, hasSmallCall: () => thread.recent.hasSmaller(call) });
    thread.hasBegun = false;
    thread.left = SLICE_TIME;
    signal?.throwIfAborted();
  };
  const spend = (nanoseconds: number, isSteady = false) => {
    done += nanoseconds;
    grow(done);
    // Also shortens a slice that began as a whole one: that of another job, or from before this header was
    // read.
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
 * Runs a generator to its end. It yields the work that it has done.
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

/** For work that no other job waits for. */
export const uninterrupted: TimeSlice = {
  spend: () => undefined,
  spendTime: () => undefined,
  end: () => undefined,
};
