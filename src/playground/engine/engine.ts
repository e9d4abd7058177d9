import type {
  CallFacts,
  DetectOpsInput,
  DetectResult,
  InspectOpsInput,
  InspectResult,
  PurgeReport,
  SanitizeOptions,
} from '../../../client/index.ts';

/** Who looks at photos and cleans them: this browser, or the service. */
export type EngineName = 'device' | 'service';

/**
 * How far a call is, in units of its stage. `sending`: bytes of the upload; `loading`: bytes of the face
 * detector, as they travel; `detecting` and `encoding`: shares, `total` being 1.
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

/** A result, with rate limit and cost where the call had them: null on this device. */
export interface Answer<T> {
  readonly value: T;
  readonly facts: CallFacts | null;
}

/** A clean file, and what was done. */
export interface CleanImage {
  readonly image: Blob;
  readonly report: PurgeReport;
}

/**
 * The three calls of the page. Ops are those of the HTTP API. A refusal is a SanitizerError of the service or
 * a DeviceError; an aborted call rejects with the signal's reason.
 */
export interface Engine {
  readonly name: EngineName;
  inspect(file: Blob, ops: InspectOpsInput, options: EngineCallOptions): Promise<Answer<InspectResult>>;
  detect(file: Blob, ops: DetectOpsInput, options: EngineCallOptions): Promise<Answer<DetectResult>>;
  sanitize(file: Blob, ops: SanitizeOptions, options: EngineCallOptions): Promise<Answer<CleanImage>>;
}
