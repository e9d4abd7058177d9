import type { Detector } from './detector.ts';

/** The parts of onnxruntime-web and onnxruntime-node that are used; both have the same interface. */
export interface OnnxRuntime {
  /** Whether the arrays of a run's results belong to the caller alone: they can then be freed at once. */
  readonly givesArrays?: boolean;
  readonly Tensor: new (type: never, data: never, dims: readonly number[]) => object;
  readonly InferenceSession: {
    create(model: Uint8Array, options?: object): Promise<OnnxSession>;
  };
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: never): Promise<Readonly<Record<string, unknown>>>;
  release?(): Promise<void>;
}

/** A detector made from an ONNX file. */
export interface OnnxDetector extends Detector {
  /** Bytes that its runs are assumed to hold. */
  readonly memory: number;
  /** Bytes of the largest run's input and outputs, besides what the runtime holds in its own heap. */
  readonly tensorBytes: number;
  /** Frees the runtime's memory; the detector can't be used afterwards. */
  release(): Promise<void>;
}
