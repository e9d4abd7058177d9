import type { TimeSlice } from '../time_slice.ts';
import type { Work } from '../work.ts';

/** What a job does now: looks for faces, or reads, changes and encodes the picture. */
export type Phase = 'detecting' | 'encoding';

/**
 * Told how far a job is.
 * @param share of the phase's work that is done, 0 to 1; never less than before in the same phase. That of
 *   detection is an estimate: how many runs of the model it will take is unknown until the last.
 */
export type OnProgress = (phase: Phase, share: number) => void;

/**
 * The same slice, which also tells what share of a phase is done.
 * @param whole the work that the phase will count in all; an encoder that samples first counts a little more
 */
export function measured(slice: TimeSlice, phase: Phase, whole: Work, onProgress: OnProgress): TimeSlice {
  let done = 0;
  return {
    end: () => slice.end(),
    spendTime: (nanoseconds) => slice.spendTime(nanoseconds),
    spend(work) {
      done += work;
      const turn = slice.spend(work);
      if (turn) onProgress(phase, Math.min(1, done / whole));
      return turn;
    },
  };
}

/** Of a detection's work, the first reading with the tiles that are looked at on its way. */
const FIRST_READING = 0.7;
/** Of what is left then, each further run of the model: there are 2 to some 20. */
const FURTHER_RUN = 0.15;

/**
 * The slice of a detection, which also tells how far that is.
 * @param whole the work of reading the picture
 */
export function measuredDetection(slice: TimeSlice, whole: Work, onProgress: OnProgress): TimeSlice {
  let read = 0;
  let left = 1 - FIRST_READING;
  const tell = () =>
    onProgress('detecting', FIRST_READING * Math.min(1, read / whole) + (1 - FIRST_READING - left));
  return {
    end() {
      if (read >= whole) left *= 1 - FURTHER_RUN;
      tell();
      return slice.end();
    },
    spendTime: (nanoseconds) => slice.spendTime(nanoseconds),
    spend(work) {
      read += work;
      const turn = slice.spend(work);
      if (turn) tell();
      return turn;
    },
  };
}
