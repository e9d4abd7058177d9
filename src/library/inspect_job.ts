import { ModuleNotLoaded } from '../core/loaded_module.ts';
import { scanLateInParts } from '../metadata/scan_late.ts';
import type { InspectResult } from '../ops/responses.ts';
import { type InspectRuntime, inspectWith } from '../sanitize/inspect_with.ts';
import type { ImageInput } from './image_input.ts';
import { inspectOps } from './inspect_ops.ts';
import type { CallOptions } from './options.ts';
import { runJob } from './run_job.ts';

const inspect = inspectWith(scanLateInParts);

/** `inspect` of the library (index.ts), separate from the other jobs, since it needs few of their modules. */
export const inspectJob = (image: ImageInput, ops: unknown, options?: CallOptions): Promise<InspectResult> =>
  runJob(
    image,
    () => inspectOps(ops),
    options,
    (file, valid, { giveTurn, bytes }, signal) => {
      const runtime = { giveTurn, budget: lateBudget(bytes) };
      return loadingModules(() => inspect(file, valid, runtime, signal));
    },
  );

/** The shared budget, loaded when memory is first reserved: only progressive JPEGs need it. */
const lateBudget = (capacity: number): InspectRuntime['budget'] => ({
  capacity,
  reserve: async (...given) => (await import('./budgets.ts')).budgetOf(capacity).reserve(...given),
});

/** Runs code that needs a module only for some files, such as AVIFs: it is repeated once that is loaded. */
async function loadingModules<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ModuleNotLoaded)) throw error;
      await error.load();
    }
  }
}
