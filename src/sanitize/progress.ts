import type { TimeSlice } from '../time_slice.ts';

/** What a job does now: looks for faces, or reads, changes and encodes the picture. */
export type Phase = 'detecting' | 'encoding';

/**
 * Told how far a job is. How many runs of the model detection will take is unknown: it says 0 and 1 alone.
 * @param share of the phase's work that is done, 0 to 1; never less than before in the same phase
 */
export type OnProgress = (phase: Phase, share: number) => void;

/**
 * The same slice, which also tells what share of a phase is done.
 * @param pixels that the phase will count in all; an encoder that samples first counts a few more
 */
export function measured(slice: TimeSlice, phase: Phase, pixels: number, onProgress: OnProgress): TimeSlice {
  let done = 0;
  return {
    end: () => slice.end(),
    spend(work) {
      done += work;
      const turn = slice.spend(work);
      if (turn) onProgress(phase, Math.min(1, done / pixels));
      return turn;
    },
  };
}
