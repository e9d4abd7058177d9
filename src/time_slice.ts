/**
 * Lets other jobs and requests run while a long one works. One thread serves an isolate, so whoever drives a
 * reading counts what it does and hands the thread back now and then. What is counted is work done: clocks
 * stand still in production.
 */
export interface TimeSlice {
  /**
   * Counts work.
   * @param pixels read, or what takes as long
   * @returns where the slice is used up, what to wait for before going on; it rejects when the job is aborted
   */
  spend(pixels: number): Promise<void> | undefined;
}

/**
 * Pixels of one slice: reading, stepping and encoding take 25 to 110 ns a pixel here, so a slice lasts 5 to
 * 22 ms (docs/benchmarks.md).
 */
const SLICE_PIXELS = 200_000;

/** Work that is counted for one run of the face model: more than a slice, so that every run ends one. */
export const PASS_WORK = SLICE_PIXELS;

/**
 * Work that is counted for a job beside its pixels: scanning, instances, tables, a refusal. A loop over small
 * files so gives a turn every few of them. Without any, what they drop would never be collected: between jobs
 * of `await` alone the event loop does not go round, and the runtime keeps what a WeakRef was asked for.
 */
export const JOB_WORK = SLICE_PIXELS / 8;

/** What is left of the present slice, by what gives a turn: all jobs that share that share their slices. */
const slices = new WeakMap<() => Promise<void>, { left: number }>();

/** Resolves when the event loop has gone round. */
export const nextTurn = () => new Promise<void>((done) => setTimeout(done));

/**
 * The slices of one job.
 * @param giveTurn resolves when the event loop has gone round
 * @param signal ends the job at its next turn
 */
export function timeSlices(giveTurn: () => Promise<void>, signal?: AbortSignal): TimeSlice {
  const slice = slices.get(giveTurn) ?? { left: SLICE_PIXELS };
  slices.set(giveTurn, slice);
  const turn = async () => {
    slice.left = SLICE_PIXELS;
    await giveTurn();
    signal?.throwIfAborted();
  };
  return {
    spend(pixels) {
      slice.left -= pixels;
      return slice.left > 0 ? undefined : turn();
    },
  };
}

/** For work that nobody waits beside. */
export const uninterrupted: TimeSlice = { spend: () => undefined };

/** What pulling a strip of this width has taken: all of its pixels, or the work that came in its place. */
export const workOf = (strip: { readonly rows: number } | number, width: number): number =>
  typeof strip === 'number' ? strip : strip.rows * width;
