import type { Detector } from '../detectors/detector.ts';
import type { FaceDetector } from '../faces/detector.ts';
import type { MemoryBudget } from '../memory/budget.ts';
import type { ReadableDetector } from '../readable/detector.ts';
import { type JobTime, jobTime, nextTurn } from '../scheduling/time_slice.ts';
import type { OnProgress } from './progress.ts';

/** What all jobs of one isolate share. */
export interface Runtime {
  readonly budget: MemoryBudget;
  readonly detector: FaceDetector;
  /** The detector of text and plates. Absent: ops that ask for them are refused. */
  readonly readable?: ReadableDetector | undefined;
  /** Further detectors, of other things or of faces, that ops name. Absent: none. */
  readonly detectors?: readonly Detector[] | undefined;
  /** Resolves after one turn of the event loop, so that jobs give way. Absent: `nextTurn`. */
  readonly giveTurn?: () => Promise<void>;
  /** Is told how far a job is; must not throw. */
  readonly onProgress?: OnProgress | undefined;
}

/** The time of a job on this runtime. */
export const timeOf = ({ giveTurn = nextTurn }: Pick<Runtime, 'giveTurn'>, signal?: AbortSignal): JobTime =>
  jobTime(giveTurn, signal);
