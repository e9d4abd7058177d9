import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { InstanceHandover } from './instance_handover.ts';
import type { OnnxRuntime } from './onnx_runtime.ts';

/** onnxruntime-web on an imported module, since Workers can't compile bytes. */
export interface ImportedRuntime extends OnnxRuntime {
  /** Bytes of its WebAssembly memory, which never shrinks; 0 before the first session. */
  readonly heapBytes: number;
}

/**
 * Chosen by measurement: memory patterns cost a fifth more heap and save no time; an arena makes no
 * difference in this build.
 */
const OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ['wasm'],
  enableCpuMemArena: false,
  enableMemPattern: false,
  graphOptimizationLevel: 'all',
  logSeverityLevel: 4,
};

/**
 * Call this only once: onnxruntime-web has a single instance per program.
 * @param module of onnxruntime-web/ort-wasm-simd-threaded.wasm
 */
export function importedRuntime(module: WebAssembly.Module): ImportedRuntime {
  const handover = new InstanceHandover((imports) => WebAssembly.instantiate(module, imports));
  env.wasm.numThreads = 1;
  env.wasm.proxy = false;
  env.wasm.wasmBinary = handover.marker;
  env.logLevel = 'error';
  return {
    givesArrays: true,
    get heapBytes() {
      return handover.heapBytes;
    },
    Tensor: Tensor as unknown as OnnxRuntime['Tensor'],
    InferenceSession: {
      create: async (model) =>
        (await handover.during(() => InferenceSession.create(model, OPTIONS))) as never,
    },
  };
}
