import type { Detector } from './detector.ts';

/** What is used of onnxruntime-web or onnxruntime-node, whose interfaces are the same. */
export interface OnnxRuntime {
  /** Whether nobody else has the arrays that a run gives: they may be given back at once. */
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

/** A detector out of an ONNX file. */
export interface OnnxDetector extends Detector {
  /** Bytes that its runs are taken to hold. */
  readonly memory: number;
  /** Bytes of the largest run's input and outputs, beside what the runtime holds in its own heap. */
  readonly tensorBytes: number;
  /** Gives the runtime's memory back; the detector can't be used after. */
  release(): Promise<void>;
}
