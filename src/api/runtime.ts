import type { FaceDetector } from '../faces/detector.ts';
import { faceDetector } from '../faces/isolate_detector.ts';
import { isolateBudget } from '../memory/budget.ts';
import type { Runtime } from '../sanitize/runtime.ts';
import type { Bindings } from './env.ts';
import { metrics, timed } from './metrics.ts';

const MEGABYTE = 1024 * 1024;
/** Megabytes of a Worker isolate, the budget where none is set. */
const DEFAULT_BUDGET_MB = 128;
/**
 * Megabytes that the isolate holds beside any job, measured by V8's own figures: heap and array buffers, 22.4
 * at most while 50 megapixels are worked on, and 4.5 of compiled code (docs/benchmarks.md, What an isolate
 * holds).
 */
const BASELINE_MB = 28;
/** Jobs that may wait for memory at one time; further ones are answered 503. */
const MAX_WAITING_JOBS = 16;

/** The face detector, with its time and its runs of the model counted. */
const countedDetector: FaceDetector = {
  cost: faceDetector.cost,
  wantedWidth: faceDetector.wantedWidth,
  async detect(source, options) {
    const detection = await timed('faces', () => faceDetector.detect(source, options));
    metrics.detectorPasses(detection.passes);
    return detection;
  },
};

let runtime: Runtime | undefined;

/** The runtime of this isolate: all its requests share one memory budget and one face detector. */
export function isolateRuntime({ MEMORY_BUDGET_MB }: Pick<Bindings, 'MEMORY_BUDGET_MB'>): Runtime {
  runtime ??= {
    budget: isolateBudget(jobBytes(MEMORY_BUDGET_MB), MAX_WAITING_JOBS, {
      now: Date.now,
      // Offered by a server of one's own alone (scripts/serve/config.mjs).
      collect: (globalThis as { gc?(): void }).gc,
      onWaited: (milliseconds) => metrics.phase('waiting', milliseconds / 1000),
    }),
    detector: countedDetector,
  };
  return runtime;
}

/**
 * What all jobs of an isolate may hold together, in bytes.
 * @param setting MEMORY_BUDGET_MB; anything but a number above `BASELINE_MB` is a mistake of the deployment,
 * for which the default is safe
 */
export function jobBytes(setting: string | undefined): number {
  const megabytes = Number(setting);
  return ((megabytes > BASELINE_MB ? megabytes : DEFAULT_BUDGET_MB) - BASELINE_MB) * MEGABYTE;
}
