import { sharedUntilFailure } from '../core/shared_until_failure.ts';
import type { FaceDetector } from '../faces/detector.ts';
import type { Detector } from './detector.ts';
import type { Manifest } from './manifest.ts';
import { openOnnxDetector } from './onnx_detector.ts';
import type { OnnxDetector, OnnxRuntime } from './onnx_runtime.ts';

/** A detector in a deployment's bundle, tested when the bundle was built (scripts/detectors/build.mjs). */
export interface BuiltDetector {
  readonly manifest: Manifest;
  readonly model: ArrayBuffer;
  /** SHA-256 of the model file. */
  readonly sha256: string;
  /** `OnnxDetector.tensorBytes`, measured then. */
  readonly tensorBytes: number;
  /** Milliseconds of CPU of one pass on the largest view, measured then. */
  readonly passMs: number;
}

/** A detector of a deployment, which publishes its names, kinds, hash and time. */
export interface DeployedDetector extends Detector {
  readonly sha256: string;
  readonly passMs: number;
}

/** What a deployment with an ONNX runtime has in addition. */
export interface DeployedDetectors {
  readonly detectors: readonly DeployedDetector[];
  /** Bytes of the isolate that jobs can't use, from the start: `heldBytes`. */
  readonly heldBytes: number;
  /** Looks for faces on this runtime; if absent, the image core does. */
  readonly faces?: FaceDetector;
}

/**
 * What onnxruntime-web holds in an isolate besides its heap: its module of 14 MB, and the code compiled from
 * it (docs/decisions/0014-face-network-in-the-core.md).
 */
export const RUNTIME_CODE_BYTES = 32 * 1024 * 1024;

/** Bytes that an isolate holds permanently. @param heapBytes of the runtime, after each model has run once */
export const heldBytes = (models: readonly { readonly byteLength: number }[], heapBytes: number): number =>
  RUNTIME_CODE_BYTES + heapBytes + models.reduce((sum, { byteLength }) => sum + byteLength, 0);

/**
 * The detectors of a bundle. The first use of any of them opens all, always in this order, so that the
 * runtime's heap grows to the same size as when it was measured.
 * @returns `open` does that at once
 */
export function deployedDetectors(
  built: readonly BuiltDetector[],
  runtime: OnnxRuntime,
): { readonly detectors: readonly DeployedDetector[]; readonly open: () => Promise<unknown> } {
  const open = sharedUntilFailure(() => openAll(built, runtime));
  const detectors = built.map(({ manifest, sha256, tensorBytes, passMs }, at) => {
    const { name, kinds, confidence, views, sameBox } = manifest;
    const detector: DeployedDetector = {
      name,
      kinds: [...new Set(kinds.filter((kind) => kind !== null))],
      confidence,
      views,
      sameBox,
      memory: tensorBytes,
      sha256,
      passMs,
      detect: async (view, signal) => (await open())[at]!.detect(view, signal),
    };
    return detector;
  });
  return { detectors, open };
}

/** @throws DetectorError; then none stays open */
async function openAll(built: readonly BuiltDetector[], runtime: OnnxRuntime): Promise<OnnxDetector[]> {
  const opened: OnnxDetector[] = [];
  try {
    for (const { manifest, model } of built) {
      opened.push(await openOnnxDetector(manifest, new Uint8Array(model), runtime));
    }
    return opened;
  } catch (error) {
    for (const detector of opened) await detector.release();
    throw error;
  }
}
