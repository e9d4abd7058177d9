import type { OnnxRuntime } from './onnx_runtime.ts';

/** The latest work of each runtime, by what makes its sessions: the same in every copy of its module. */
const latest = new WeakMap<object, Promise<unknown>>();

/**
 * Runs work of one runtime after the other, whether earlier work failed or not: onnxruntime-web keeps a run's
 * arguments on one stack across awaits, whatever the session.
 */
export function inTurn<T>({ InferenceSession }: OnnxRuntime, work: () => Promise<T>): Promise<T> {
  const mine = (latest.get(InferenceSession) ?? Promise.resolve()).then(work);
  latest.set(
    InferenceSession,
    mine.catch(() => undefined),
  );
  return mine;
}
