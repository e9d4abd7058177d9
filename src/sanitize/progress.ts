import type { TimeSlice } from '../scheduling/time_slice.ts';
import type { Work } from '../scheduling/work.ts';

/** The phase of a job: it looks for faces, or it reads, changes and encodes the picture. */
export type Phase = 'detecting' | 'encoding';

/**
 * Is told how far a job is.
 * @param share of the phase's work that is done, 0 to 1; never less than before in the same phase. For
 * detection it is an estimate, as the number of the model's runs is unknown until the last.
 */
export type OnProgress = (phase: Phase, share: number) => void;

/**
 * The same slice, which also reports what share of a phase is done.
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

/** The share of a detection's work in the first read, including the tiles that are searched during it. */
const FIRST_READING = 0.7;
/** The share of the rest that each further run of the model does: there are 2 to some 20. */
const FURTHER_RUN = 0.15;

/**
 * The slice of a detection, which also reports how far the detection is.
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
