import runtimeModule from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { detectors } from '#page-detectors';
import type { BuiltDetector } from '../../detectors/deployed.ts';
import type { Detector } from '../../detectors/detector.ts';
import { importedRuntime } from '../../detectors/imported_runtime.ts';
import { openOnnxDetector } from '../../detectors/onnx_detector.ts';

/** A detector of the server that its page offers; its model is loaded at its first use. */
interface OfferedDetector extends Pick<BuiltDetector, 'manifest' | 'tensorBytes'> {
  readonly load: () => Promise<ArrayBuffer>;
}

const offered = detectors as readonly OfferedDetector[];
const runtime = importedRuntime(runtimeModule);
const opened = new Map<string, Promise<Detector>>();

/**
 * Opens the operator's detectors, each once per thread.
 * @throws DetectorError, or what loading throws: the thread can't be used afterwards
 */
export const openDetectors = (names: readonly string[]): Promise<Detector[]> =>
  Promise.all(
    offered
      .filter(({ manifest }) => names.includes(manifest.name))
      .map((one) => {
        const { name } = one.manifest;
        if (!opened.has(name)) opened.set(name, open(one));
        return opened.get(name)!;
      }),
  );

async function open({ manifest, tensorBytes, load }: OfferedDetector): Promise<Detector> {
  const detector = await openOnnxDetector(manifest, new Uint8Array(await load()), runtime);
  // As measured when the server was built: a page has no budget for the runtime's own heap.
  return { ...detector, memory: tensorBytes };
}
