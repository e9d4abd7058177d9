import { detect, inspect, sanitize } from '../library/index.ts';
import type { Sanitizer } from '../library/worker.ts';
import { CallError } from './call_error.ts';

/** The library functions that a run uses. */
type Calls = Pick<Sanitizer, 'sanitize' | 'inspect' | 'detect'> & Disposable;

/**
 * The library with the person's own detectors. They run in this thread: detectors can't be sent to another.
 * @param manifests paths of manifests or models
 * @throws CallError for one that can't be opened, with everything that is wrong
 */
export async function withDetectors(manifests: readonly string[], memoryBudget: number): Promise<Calls> {
  const { onnxDetector } = await import('../library/onnx.ts');
  const opened = await Promise.all(
    manifests.map((path) =>
      onnxDetector(path).catch((error: Error) => {
        throw new CallError(`--detector ${path}: ${error.message}`);
      }),
    ),
  );
  const names = opened.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new CallError(`--detector: two are called ${twice}`);
  const more = { detectors: opened, memoryBudget };
  return {
    sanitize: (image, ops, options) => sanitize(image, ops, { ...options, ...more }),
    detect: (image, ops, options) => detect(image, ops, { ...options, ...more }),
    inspect: (image, ops, options) => inspect(image, ops, { ...options, memoryBudget }),
    [Symbol.dispose]: () => {
      for (const detector of opened) detector.release().catch(() => undefined);
    },
  };
}
