import type { Detector } from '../detectors/detector.ts';
import type { PurgeReport } from '../ops/responses.ts';
import type { SanitizeOpsInput } from '../ops/schema.ts';

/** How far a call is. */
export interface Progress {
  /** Looking for faces, or reading, changing and encoding the picture. */
  readonly phase: 'detecting' | 'encoding';
  /** Of the phase's work, 0 to 1; that of `detecting` is an estimate. */
  readonly share: number;
}

export interface CallOptions {
  /** Ends the call at its next turn; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Bytes that all calls of the same figure may hold together, beside inputs and results; calls beyond wait.
   * Default: 512 MB; in pages at most a quarter of the device's memory, where the browser tells it.
   */
  readonly memoryBudget?: number | undefined;
}

/** Of calls that decode pixels. */
export interface ProgressCallOptions extends CallOptions {
  /** The call rejects with what it throws; it may be async, and rejects with what it rejects with. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * What finds other things than faces (docs/detectors.md): all of them are used, unless the ops name some.
   */
  readonly detectors?: readonly Detector[] | undefined;
}

/** The ops of the HTTP API without `response`, which is refused: bytes and report both come back. */
export type LibrarySanitizeOps = Omit<SanitizeOpsInput, 'response'>;

export interface SanitizedImage {
  /** The clean image file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** `image/jpeg`, `image/png` or `image/webp`. */
  readonly mediaType: string;
  /** File name extension, without the dot. */
  readonly extension: string;
  readonly report: Readonly<Omit<PurgeReport, 'durationMs'>>;
}
