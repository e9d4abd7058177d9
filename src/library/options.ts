import type { Detector } from '../detectors/detector.ts';
import type { PurgeReport } from '../ops/responses.ts';
import type { SanitizeOpsInput } from '../ops/schema.ts';

/** The progress of a call. */
export interface Progress {
  /** `detecting`: looking for faces. `encoding`: reading, changing and encoding the picture. */
  readonly phase: 'detecting' | 'encoding';
  /** Completed share of the phase, 0 to 1; an estimate for `detecting`. */
  readonly share: number;
}

export interface CallOptions {
  /** Ends the call at its next turn; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Bytes that all calls with the same budget may hold together, not counting inputs and results; further
   * calls wait. Default: 512 MB; in pages at most a quarter of the device's memory, if the browser reports
   * it.
   */
  readonly memoryBudget?: number | undefined;
}

/** Options of calls that decode pixels. */
export interface ProgressCallOptions extends CallOptions {
  /** If it throws, or returns a promise that rejects, the call rejects with the same error. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Detectors of other things than faces (docs/detectors.md). All of them are used, unless the ops name some.
   */
  readonly detectors?: readonly Detector[] | undefined;
}

/** The ops of the HTTP API without `response`, which is refused: both bytes and report are returned. */
export type LibrarySanitizeOps = Omit<SanitizeOpsInput, 'response'>;

export interface SanitizedImage {
  /** The clean image file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** `image/jpeg`, `image/png` or `image/webp`. */
  readonly mediaType: string;
  /** Extension for a file name, without the dot. */
  readonly extension: string;
  readonly report: Readonly<Omit<PurgeReport, 'durationMs'>>;
}
