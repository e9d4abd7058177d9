import { MemoryBudget } from '../codecs/budget.ts';
import { faceDetector } from '../faces/detector.ts';
import type { Workshop } from '../sanitize/pipeline.ts';
import type { Bindings } from './env.ts';

/** The budget of a Worker isolate when none is set, in megabytes. */
const DEFAULT_BUDGET_MB = 128;
/** What the isolate holds before any job: the runtime's heap, this code, compiled WebAssembly (docs/benchmarks.md). */
const BASELINE_MB = 20;
/** Jobs that may wait for memory; more are told to come back. */
const WAITING_PLACES = 16;
const MEGABYTE = 1024 * 1024;

let workshop: Workshop | undefined;

/** The workshop of this isolate: all its requests share one memory budget and one detector. */
export function isolateWorkshop({ MEMORY_BUDGET_MB }: Pick<Bindings, 'MEMORY_BUDGET_MB'>): Workshop {
  workshop ??= {
    budget: new MemoryBudget((budgetMegabytes(MEMORY_BUDGET_MB) - BASELINE_MB) * MEGABYTE, WAITING_PLACES),
    detector: faceDetector,
  };
  return workshop;
}

/** A setting that is no number above the baseline is a mistake of the deployment; the default is then safe. */
function budgetMegabytes(setting: string | undefined): number {
  const megabytes = Number(setting);
  return megabytes > BASELINE_MB ? megabytes : DEFAULT_BUDGET_MB;
}
