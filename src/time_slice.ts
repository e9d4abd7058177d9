import { limitFault } from './faults.ts';
import { TIMES_AS_LARGE, TurnLine } from './turn_line.ts';
import { MAX_COUNTED_WORK, MAX_WORK, WORK_TIME, type Work } from './work.ts';

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
  /** Tells the work that the job's header and ops announce: it counts for that much from now on. */
  announce(work: Work): void;
  /** For who counts pixels, each of which takes so long. */
  perPixel(nanoseconds: number): TimeSlice;
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
/** A job that counts for less is small: a call of a megapixel is. */
const SMALL = 100_000_000;
/**
 * A small call waits for the network and for counters beside its turns, each time for the slice of whoever
 * works. So slices of larger jobs are shorter, for so many after one has come or worked: what the runtime has
 * ended midway shows itself no more.
 */
const SHORT_SLICE_TIME = SLICE_TIME / 8;
const SHORT_SLICES = 16;

/** What all jobs share that take their turns of the same. */
interface SharedThread {
  /** Nanoseconds of the present slice that are left. */
  left: number;
  readonly line: TurnLine;
  /** The smallest of the small jobs that came or worked a moment ago, and the short slices left for it. */
  small: { size: number };
  shortSlices: number;
}

/** By what gives a turn. */
const threads = new WeakMap<() => Promise<void>, SharedThread>();

/**
 * Resolves when the event loop has gone round: by an immediate, where there are any (Node, workerd). A timer
 * sleeps a millisecond in both at the least, two and more in workerd.
 */
export const nextTurn = () =>
  new Promise<void>((done) => {
    if (typeof setImmediate === 'function') setImmediate(done);
    else setTimeout(done);
  });

/**
 * The time of one job, or of what a call does before its job. There is one rule: a job counts for what it has
 * done or for what it has announced, whichever is more, and for half a slice at least. Beside a small one of
 * less than a quarter of that it lets that one go first (turn_line.ts) and works for an eighth of a slice. So
 * a call whose picture is large stands back from the moment that its header is read.
 * @param giveTurn resolves when the event loop has gone round
 * @param signal ends the job at its next turn
 */
export function jobTime(giveTurn: () => Promise<void>, signal?: AbortSignal): JobTime {
  const thread = threads.get(giveTurn) ?? {
    left: SLICE_TIME,
    line: new TurnLine(giveTurn),
    small: { size: 0 },
    shortSlices: 0,
  };
  threads.set(giveTurn, thread);
  const job = { size: LEAST_SIZE };
  let done = 0;
  const grow = (size: number) => {
    job.size = Math.max(job.size, size);
  };
  const noticeSmall = () => {
    if (job.size >= SMALL || (thread.shortSlices > 0 && job.size > thread.small.size)) return;
    thread.small = job;
    thread.shortSlices = SHORT_SLICES;
  };
  const sliceTime = () => {
    if (thread.shortSlices === 0 || job.size <= TIMES_AS_LARGE * thread.small.size) return SLICE_TIME;
    thread.shortSlices--;
    return SHORT_SLICE_TIME;
  };
  noticeSmall();
  const turn = async () => {
    thread.left = SLICE_TIME;
    await thread.line.turn(job.size);
    thread.left = sliceTime();
    signal?.throwIfAborted();
  };
  const spend = (nanoseconds: number) => {
    done += nanoseconds;
    grow(done);
    noticeSmall();
    thread.left -= nanoseconds;
    return thread.left > 0 ? undefined : turn();
  };
  const end = async () => {
    await turn();
    done += SLICE_TIME;
    grow(done);
    thread.left = 0;
  };
  let counted = 0;
  const count = (work: number) => {
    counted += work;
    if (counted <= MAX_COUNTED_WORK) return;
    throw limitFault(
      `It took more than ${MAX_COUNTED_WORK / MAX_WORK} times the work that a call may announce`,
    );
  };
  const perPixel = (nanoseconds: number): TimeSlice => ({
    spend(pixels) {
      count(pixels);
      return spend(pixels * nanoseconds);
    },
    spendTime: spend,
    end,
  });
  return { spend, announce: (work: Work) => grow(work * WORK_TIME), perPixel };
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
