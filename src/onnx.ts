import runtimeModule from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { detectors as built, heapBytes } from '#detectors';
import type { Bindings } from './api/env.ts';
import { createApp } from './app.ts';
import { type BuiltDetector, deployedDetectors, heldBytes } from './detectors/deployed.ts';
import { importedRuntime } from './detectors/imported_runtime.ts';

export { CallMeter } from './metering/call_meter.ts';

/** The Worker of `[env.onnx]`: the service with further detectors, which onnxruntime-web runs. */
const app = createApp();
const detectors = built as readonly BuiltDetector[];
const DETECTORS = {
  detectors: deployedDetectors(detectors, importedRuntime(runtimeModule)),
  heldBytes: heldBytes(
    detectors.map(({ model }) => model),
    heapBytes,
  ),
};

export default {
  fetch: (request, env, context) => app.fetch(request, { ...env, DETECTORS }, context),
} satisfies ExportedHandler<Bindings>;
