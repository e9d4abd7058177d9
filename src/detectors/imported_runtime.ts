import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { InstanceHandover } from './instance_handover.ts';
import type { OnnxRuntime } from './onnx_runtime.ts';

/** onnxruntime-web on a module that is imported, since Workers compile no bytes. */
export interface ImportedRuntime extends OnnxRuntime {
  /** Bytes of its WebAssembly memory, which never shrinks; 0 before the first session. */
  readonly heapBytes: number;
}

/**
 * Settings by measurement: memory patterns cost a fifth more heap and gain no time; an arena makes no
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
 * To be called once: onnxruntime-web has one instance in all of a program.
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
