import runtimeModule from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { detectors as built, heapBytes, heapBytesWithFaces } from '#detectors';
import own from '../models/face_detector.onnx';
import theirs from '../models/yunet_n.onnx';
import { withRemoteMeters } from './api/billing/remote_meters.ts';
import type { Bindings } from './api/env.ts';
import { createApp } from './app.ts';
import { type BuiltDetector, deployedDetectors, heldBytes } from './detectors/deployed.ts';
import { onnxFaceModels } from './detectors/face_models.ts';
import { importedRuntime } from './detectors/imported_runtime.ts';
import { createFaceDetector } from './faces/detector.ts';
import { isolateNetworks } from './faces/isolate_detector.ts';

export { CallMeter } from './metering/call_meter.ts';

/** The Worker of `[env.onnx]`: the service with further detectors, which onnxruntime-web runs. */
const app = createApp();
const runtime = importedRuntime(runtimeModule);
const bundled = built as readonly BuiltDetector[];
const models = bundled.map(({ model }) => model);
const { detectors, open } = deployedDetectors(bundled, runtime);
const { verifier } = isolateNetworks;
const { network, tileNetwork } = onnxFaceModels(own, theirs, runtime, verifier.workspaceBytes, open);

const inCore = { detectors, heldBytes: heldBytes(models, heapBytes) };
/** The verifier stays in the core: its file has no graph of it. */
const onRuntime = {
  detectors,
  heldBytes: heldBytes(models, heapBytesWithFaces),
  faces: createFaceDetector(network, verifier, tileNetwork),
};

/**
 * The bindings, extended once: an isolate gets the same object at every request, and others compare it by
 * identity.
 */
let latest: { readonly given: Bindings; readonly bindings: Bindings } | undefined;

function withDetectors(given: Bindings): Bindings {
  if (latest?.given !== given) {
    const DETECTORS = given.FACE_ENGINE?.trim() === 'onnxruntime-web' ? onRuntime : inCore;
    latest = { given, bindings: { ...given, DETECTORS } };
  }
  return latest.bindings;
}

export default {
  fetch: (request, env, context) => app.fetch(request, withDetectors(withRemoteMeters(env)), context),
} satisfies ExportedHandler<Bindings>;
