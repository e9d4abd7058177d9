import runtime from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import weights from '../../models/face_detector.onnx';
import verifierWeights from '../../models/face_verifier.onnx';
import { serialized, sharedUntilFailure } from './async_once.ts';
import { InstanceHandover } from './instantiation.ts';
import { cutAt } from './model.ts';
import { modelParts } from './model_parts.ts';
import { verifierSide } from './verifier.ts';

export { model } from './model.ts';

/** The files of both models. */
interface Weights {
  readonly detector: ArrayBuffer;
  readonly verifier: ArrayBuffer;
}

/**
 * The model's output for one tensor: `scores[i]` (0 to 1, calibrated) belongs to `boxes[4 i … 4 i + 3]` = x1,
 * y1, x2, y2.
 */
export interface Candidates {
  /** In input pixels, not clipped. */
  readonly boxes: Float32Array;
  readonly scores: Float32Array;
}

export interface FaceSession {
  /**
   * Runs the model on one tensor. Calls run one after the other: the library keeps a run's arguments on one
   * stack across an await.
   * @param image planar RGB, 3 × height × width, values 0 to 255; read before the promise settles
   * @param width a multiple of 32, as is `height`
   * @param pause called when about half of the run is done, which goes on when it has resolved
   */
  run(
    image: Float32Array,
    width: number,
    height: number,
    pause?: () => Promise<void> | undefined,
  ): Promise<Candidates>;
  /**
   * Logits that crops show faces.
   * @param crops planar RGB, `count` of them (verifier.ts)
   */
  verify(crops: Float32Array, count: number): Promise<Float32Array>;
  /** Bytes of memory that the runtime holds; they never shrink. */
  readonly heapBytes: number;
}

/**
 * Settings by measurement (docs/faces.md): memory patterns cost a fifth more heap and gain no time; the arena
 * makes no difference in this build and stays off.
 */
const options: InferenceSession.SessionOptions = {
  executionProviders: ['wasm'],
  enableCpuMemArena: false,
  enableMemPattern: false,
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
};

// Asynchronous: pages refuse to make an instance of so large a module at once.
const handover = new InstanceHandover((imports) => WebAssembly.instantiate(runtime, imports));

/**
 * The isolate's session, created at the first call. A failure rejects the calls so far, and the next call
 * tries again. Nothing in here waits for I/O, so that requests do not depend on each other's.
 * @throws Error when the runtime or the model cannot be started
 */
export const faceSession: () => Promise<FaceSession> = sharedUntilFailure(() =>
  openSession({ detector: weights, verifier: verifierWeights }, handover),
);

/** Creates a session; `faceSession` returns the shared one. */
export async function openSession(models: Weights, instances = handover): Promise<FaceSession> {
  env.wasm.numThreads = 1;
  env.wasm.proxy = false;
  env.wasm.wasmBinary = instances.marker;
  const { first, second } = modelParts(new Uint8Array(models.detector), cutAt);
  const features = await instances.during(() => InferenceSession.create(first, options));
  const heads = await InferenceSession.create(second, options);
  const verifier = await InferenceSession.create(models.verifier, options);
  // A pause stands outside: a call that waits for its turn must not wait for what another request waits for.
  const inTurn = serialized(<T>(work: () => Promise<T>) => work());
  return {
    get heapBytes() {
      return instances.heapBytes;
    },
    async run(image, width, height, pause) {
      const input = new Tensor('float32', image, [1, 3, height, width]);
      const middle = (await inTurn(() => features.run({ image: input })))[cutAt]!;
      try {
        await pause?.();
        const { boxes, scores } = await inTurn(() => heads.run({ [cutAt]: middle }));
        return { boxes: boxes!.data as Float32Array, scores: scores!.data as Float32Array };
      } finally {
        free(middle);
      }
    },
    async verify(crops, count) {
      const input = new Tensor('float32', crops, [count, 3, verifierSide, verifierSide]);
      const { logits } = await inTurn(() => verifier.run({ crops: input }));
      return logits!.data as Float32Array;
    },
  };
}

/** What buffers have since ECMAScript 2024; Node 20 does not. */
interface Transferable {
  transfer?(length: number): ArrayBuffer;
}

/** Gives back a tensor's memory at once; where that cannot be, it is left to the collector. */
function free(tensor: Tensor): void {
  const { buffer } = tensor.data as Float32Array<ArrayBuffer>;
  tensor.dispose();
  (buffer as Transferable).transfer?.(0);
}
