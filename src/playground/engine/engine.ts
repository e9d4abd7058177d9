import type {
  CallFacts,
  DetectOpsInput,
  DetectResult,
  InspectOpsInput,
  InspectResult,
  PurgeReport,
  SanitizeOptions,
} from '../../../client/index.ts';

/** What inspects and cleans photos: this browser, or the service. */
export type EngineName = 'device' | 'service';

/**
 * Progress of a call in units of its stage. `sending`: bytes of the upload; `loading`: compressed bytes of
 * the face detector; `detecting` and `encoding`: fractions of 1 (`total`).
 */
export interface EngineProgress {
  readonly stage: 'sending' | 'loading' | 'detecting' | 'encoding';
  readonly done: number;
  readonly total: number;
}

export interface EngineCallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: EngineProgress) => void) | undefined;
}

/** A result, with rate limit and cost if the call had them; null on this device. */
export interface Answer<T> {
  readonly value: T;
  readonly facts: CallFacts | null;
}

/** A clean file, and a report of what was done. */
export interface CleanImage {
  readonly image: Blob;
  readonly report: PurgeReport;
}

/**
 * The three calls of the page, with the ops of the HTTP API. Refusals are SanitizerErrors of the service or
 * DeviceErrors; an aborted call rejects with the signal's reason.
 */
export interface Engine {
  readonly name: EngineName;
  inspect(file: Blob, ops: InspectOpsInput, options: EngineCallOptions): Promise<Answer<InspectResult>>;
  detect(file: Blob, ops: DetectOpsInput, options: EngineCallOptions): Promise<Answer<DetectResult>>;
  sanitize(file: Blob, ops: SanitizeOptions, options: EngineCallOptions): Promise<Answer<CleanImage>>;
}
