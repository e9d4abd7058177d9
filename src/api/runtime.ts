import type { FaceDetector } from '../faces/detector.ts';
import { faceDetector } from '../faces/isolate_detector.ts';
import { isolateBudget } from '../memory/budget.ts';
import { KEPT_SHARE } from '../memory/kept_part.ts';
import { isolateReadable } from '../readable/isolate_detector.ts';
import type { Runtime } from '../sanitize/runtime.ts';
import type { Bindings } from './env.ts';
import { jobBytes } from './job_bytes.ts';
import { metrics, timed } from './metrics.ts';

/** Jobs that may wait for memory at one time; further ones get 503. */
const MAX_WAITING_JOBS = 16;

/** A face detector that also records its time and its runs of the model. */
const counted = (detector: FaceDetector): FaceDetector => ({
  cost: detector.cost,
  wantedWidth: detector.wantedWidth,
  async detect(source, options) {
    const detection = await timed('faces', () => detector.detect(source, options));
    metrics.detectorPasses(detection.passes);
    return detection;
  },
});

let runtime: Runtime | undefined;

/** The runtime of this isolate: all its requests share one memory budget and one face detector. */
export function isolateRuntime({
  MEMORY_BUDGET_MB,
  DETECTORS,
}: Pick<Bindings, 'MEMORY_BUDGET_MB' | 'DETECTORS'>): Runtime {
  if (runtime) return runtime;
  const capacity = jobBytes(MEMORY_BUDGET_MB, DETECTORS?.heldBytes);
  runtime = {
    budget: isolateBudget(capacity, MAX_WAITING_JOBS, {
      kept: Math.floor(capacity * KEPT_SHARE),
      now: Date.now,
      // Available only on a self-hosted server (scripts/serve/config.mjs).
      collect: (globalThis as { gc?(): void }).gc,
      onWaited: (milliseconds) => metrics.phase('waiting', milliseconds / 1000),
    }),
    detector: counted(DETECTORS?.faces ?? faceDetector),
    detectors: DETECTORS?.detectors,
    readable: isolateReadable,
  };
  return runtime;
}
