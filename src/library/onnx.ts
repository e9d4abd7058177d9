import { home } from '#home';
import { DetectorError } from '../detectors/detector.ts';
import { type ManifestInput, parseManifest } from '../detectors/manifest.ts';
import { MAX_MODEL_BYTES } from '../detectors/model_file.ts';
import { openOnnxDetector } from '../detectors/onnx_detector.ts';
import type { OnnxDetector, OnnxRuntime } from '../detectors/onnx_runtime.ts';
import { chunksOf, readChunks } from './chunks.ts';

export type { DetectedBox, Detector, View, ViewPlan } from '../detectors/detector.ts';
export { DetectorError } from '../detectors/detector.ts';
export type { ManifestInput } from '../detectors/manifest.ts';
export type { OnnxDetector, OnnxRuntime } from '../detectors/onnx_runtime.ts';

/** A model and its manifest in memory, for pages, which have no files. */
export interface OnnxSource {
  readonly manifest: ManifestInput;
  readonly model: Uint8Array | ArrayBuffer | Blob;
}

export interface OnnxOptions {
  /**
   * The module `onnxruntime-web` or `onnxruntime-node`. If absent: onnxruntime-web, which must be installed.
   */
  readonly runtime?: OnnxRuntime | undefined;
}

/** Most bytes of a manifest. */
const MAX_MANIFEST_BYTES = 64 * 1024;

/**
 * Opens a detector for `sanitize` and `detect`: an ONNX model with its manifest (docs/detectors.md).
 * @param source path or `file:` URL of the manifest (.json) or of the model (.onnx), or the contents of both
 * @throws DetectorError with everything that is wrong in the manifest, or does not fit the model; the file
 * system's error
 */
export async function onnxDetector(
  source: string | URL | OnnxSource,
  { runtime }: OnnxOptions = {},
): Promise<OnnxDetector> {
  const { manifest, bytes } = await readSource(source);
  if (manifest.sha256 !== undefined) await requireHash(manifest.name, bytes, manifest.sha256);
  return openOnnxDetector(manifest, bytes, runtime ?? (await installedRuntime(manifest.name)));
}

async function readSource(source: string | URL | OnnxSource) {
  if (typeof source === 'object' && 'manifest' in source) {
    const { model } = source;
    const manifest = parseManifest(source.manifest, 'manifest');
    const bytes = model instanceof Blob ? await model.arrayBuffer() : model;
    return { manifest, bytes: bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes) };
  }
  const path = String(source);
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  if (!/\.(?:json|onnx)$/.test(name)) {
    throw new DetectorError(name, ['Expected the path of a manifest (.json) or of a model (.onnx)']);
  }
  const inSameFolder = (other: string) => {
    const there = path.slice(0, path.length - name.length) + other;
    return typeof source === 'string' ? there : new URL(there);
  };
  const stem = name.replace(/\.(?:json|onnx)$/, '');
  const text = new TextDecoder().decode(
    await readFile(inSameFolder(`${stem}.json`), MAX_MANIFEST_BYTES, name),
  );
  const manifest = parseManifest(parsedJson(text, name), name);
  const model = manifest.model ?? `${stem}.onnx`;
  if (/[/\\]/.test(model))
    throw new DetectorError(name, ['model: Expected the name of a file beside the manifest']);
  return { manifest, bytes: await readFile(inSameFolder(model), MAX_MODEL_BYTES, name) };
}

async function readFile(path: string | URL, most: number, name: string): Promise<Uint8Array> {
  const tooLarge = () => new DetectorError(name, [`Expected a file of at most ${most} bytes`]);
  const { bytes } = await readChunks(chunksOf(await home.openFile(path))!, most, tooLarge);
  return bytes;
}

function parsedJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DetectorError(name, ['Expected a manifest in JSON']);
  }
}

async function requireHash(name: string, bytes: Uint8Array, expected: string): Promise<void> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (hash === expected) return;
  throw new DetectorError(name, [`sha256: Expected ${expected} but the model’s is ${hash}`]);
}

async function installedRuntime(name: string): Promise<OnnxRuntime> {
  try {
    const runtime = await import('onnxruntime-web');
    // Its warnings would appear on the console among the results that a program prints.
    runtime.env.logLevel = 'error';
    return runtime as unknown as OnnxRuntime;
  } catch (error) {
    throw new DetectorError(name, [
      'Expected the package onnxruntime-web (npm install onnxruntime-web), or a runtime in the options, but ' +
        `it can’t be loaded: ${error instanceof Error ? error.message : error}`,
    ]);
  }
}
