import { limitFault } from './faults.ts';
import { MAX_COUNTED_WORK, MAX_WORK } from './work.ts';

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
  /**
   * Ends the slice before work that takes longer than one, such as half a run of the face model, and leaves
   * nothing of the next one: what follows that work waits for a turn of its own.
   */
  end(): Promise<void> | undefined;
}

/** The time of one job. */
export interface JobTime {
  /** As `TimeSlice.spend`, for work in nanoseconds. */
  spend(nanoseconds: number): Promise<void> | undefined;
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

/** What is left of the present slice, by what gives a turn: all jobs that share that share their slices. */
const slices = new WeakMap<() => Promise<void>, { left: number }>();

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
 * The time of one job.
 * @param giveTurn resolves when the event loop has gone round
 * @param signal ends the job at its next turn
 */
export function jobTime(giveTurn: () => Promise<void>, signal?: AbortSignal): JobTime {
  const slice = slices.get(giveTurn) ?? { left: SLICE_TIME };
  slices.set(giveTurn, slice);
  const turn = async () => {
    slice.left = SLICE_TIME;
    await giveTurn();
    signal?.throwIfAborted();
  };
  const spend = (nanoseconds: number) => {
    slice.left -= nanoseconds;
    return slice.left > 0 ? undefined : turn();
  };
  const end = async () => {
    await turn();
    slice.left = 0;
  };
  let counted = 0;
  const count = (work: number) => {
    counted += work;
    if (counted <= MAX_COUNTED_WORK) return;
    throw limitFault(
      `The image turned out to take more than ${MAX_COUNTED_WORK / MAX_WORK} times the work that a call may announce`,
    );
  };
  const perPixel = (nanoseconds: number): TimeSlice => ({
    spend(pixels) {
      count(pixels);
      return spend(pixels * nanoseconds);
    },
    end,
  });
  return { spend, perPixel };
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
export const uninterrupted: TimeSlice = { spend: () => undefined, end: () => undefined };
