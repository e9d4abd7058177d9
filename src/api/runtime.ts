import { faceDetector, runtimeHeapBytes } from '../faces/detector.ts';
import { isolateBudget } from '../memory/budget.ts';
import type { Runtime } from '../sanitize/pipeline.ts';
import type { Bindings } from './env.ts';

const MEGABYTE = 1024 * 1024;
/** The budget of a Worker isolate when none is set, in megabytes. */
const DEFAULT_BUDGET_MB = 128;
/**
 * What the isolate holds before any job: the runtime's heap, this code, compiled WebAssembly
 * (docs/benchmarks.md).
 */
const BASELINE_MB = 20;
/**
 * What is never a job's: with the face detector's heap, which stays once it is there, and so always counts.
 */
const RESERVED_MB = BASELINE_MB + runtimeHeapBytes / MEGABYTE;
/** Jobs that may wait for memory; more are told to come back. */
const WAITING_PLACES = 16;

let runtime: Runtime | undefined;

/** The runtime of this isolate: all its requests share one memory budget and one detector. */
export function isolateRuntime({ MEMORY_BUDGET_MB }: Pick<Bindings, 'MEMORY_BUDGET_MB'>): Runtime {
  runtime ??= {
    budget: isolateBudget(jobBytes(MEMORY_BUDGET_MB), WAITING_PLACES),
    detector: faceDetector,
    giveTurn: () => new Promise((done) => setTimeout(done)),
  };
  return runtime;
}

/**
 * What all jobs of an isolate may hold together, in bytes.
 * @param setting MEMORY_BUDGET_MB; one that is no number above what is never a job's is a mistake of the
 * deployment: the default is then safe
 */
export function jobBytes(setting: string | undefined): number {
  const megabytes = Number(setting);
  return ((megabytes > RESERVED_MB ? megabytes : DEFAULT_BUDGET_MB) - RESERVED_MB) * MEGABYTE;
}
