import type { OnnxRuntime } from './onnx_runtime.ts';

/**
 * The latest work of each runtime, by the class of its sessions, which is the same in every copy of its
 * module.
 */
const latest = new WeakMap<object, Promise<unknown>>();

/**
 * Runs the work of one runtime one after another, whether earlier work failed or not: onnxruntime-web keeps
 * the arguments of a run on one stack across awaits, for all sessions.
 */
export function oneAfterAnother<T>({ InferenceSession }: OnnxRuntime, work: () => Promise<T>): Promise<T> {
  const mine = (latest.get(InferenceSession) ?? Promise.resolve()).then(work);
  latest.set(
    InferenceSession,
    mine.catch(() => undefined),
  );
  return mine;
}
