import type { Size } from '../codecs/types.ts';
import { suppress } from '../faces/boxes.ts';
import { type DetectedBox, DetectorError, type View } from './detector.ts';
import { fillInput, placeView } from './fill_input.ts';
import { giveBack } from './give_back.ts';
import { HeadError, type Outputs, type OutputTensor } from './heads/candidates.ts';
import { decodeHead } from './heads/decode.ts';
import type { Manifest } from './manifest.ts';
import { modelProblems } from './model_file.ts';
import type { OnnxDetector, OnnxRuntime, OnnxSession } from './onnx_runtime.ts';
import { oneAfterAnother } from './runtime_queue.ts';

/** Floats that a run is assumed to hold per float of its input, if the manifest does not say. */
const FLOATS_PER_INPUT = 16;
/** The runtime holds a model's file both unchanged and prepared. */
const COPIES_OF_MODEL = 2;

/** Largest input for the views of a plan, in pixels. */
function largestInput({ views, input }: Manifest): Size {
  if (input.width !== undefined && input.height !== undefined) {
    return { width: input.width, height: input.height };
  }
  const side = Math.max(...views.map((view) => ('whole' in view ? view.whole : view.tiles)));
  const rounded = Math.ceil(side / input.multiple) * input.multiple;
  return { width: rounded, height: rounded };
}

/** Bytes held by a detector's runs, if its manifest does not say. */
function runBytes(manifest: Manifest, modelBytes: number): number {
  const { width, height } = largestInput(manifest);
  return COPIES_OF_MODEL * modelBytes + width * height * 3 * 4 * FLOATS_PER_INPUT;
}

/**
 * Opens a model and tests it on a grey picture, so that a mismatch with its manifest shows now and not in a
 * job.
 * @param model bytes of the .onnx file
 * @throws DetectorError with everything that is wrong
 */
export async function openOnnxDetector(
  manifest: Manifest,
  model: Uint8Array,
  runtime: OnnxRuntime,
): Promise<OnnxDetector> {
  const { name } = manifest;
  const problems = modelProblems(model);
  if (problems.length > 0) throw new DetectorError(name, problems);
  const session = await oneAfterAnother(runtime, () =>
    runtime.InferenceSession.create(model, { logSeverityLevel: 4 }).catch((error) => {
      throw new DetectorError(name, [
        `Expected a model that onnxruntime runs but it says: ${messageOf(error)}`,
      ]);
    }),
  );
  try {
    const detector = detectorOn(session, manifest, model.length, runtime);
    await detector.detect(greyView(manifest));
    return detector;
  } catch (error) {
    await session.release?.();
    throw error instanceof DetectorError ? error : new DetectorError(name, [messageOf(error)]);
  }
}

function detectorOn(
  session: OnnxSession,
  manifest: Manifest,
  modelBytes: number,
  runtime: OnnxRuntime,
): OnnxDetector {
  const { name, kinds, input: rule, output: head, confidence, sameBox, views } = manifest;
  const inputName = inputOf(session, manifest);
  let tensorBytes = 0;
  const run = async (view: View): Promise<DetectedBox[]> => {
    const place = placeView(view, rule);
    const { width, height } = place;
    const floats = width * height * 3;
    const data = rule.type === 'uint8' ? new Uint8Array(floats) : new Float32Array(floats);
    fillInput(data, view, place, rule);
    const dims = rule.layout === 'nchw' ? [1, 3, height, width] : [1, height, width, 3];
    const tensor = new runtime.Tensor(rule.type as never, data as never, dims);
    const results = await session.run({ [inputName]: tensor } as never);
    tensorBytes = Math.max(tensorBytes, data.byteLength + bytesOf(results));
    const outputs = floatOutputs(results);
    const candidates = decodeHead(outputs, head, { input: place, categories: kinds.length });
    giveBack(data);
    if (runtime.givesArrays) for (const array of arraysOf(results)) giveBack(array);
    const found = candidates.flatMap(({ x, y, w, h, confidence: score, category }) => {
      const kind = kinds[category];
      return kind
        ? [
            {
              x: (x - place.left) / place.across,
              y: (y - place.top) / place.down,
              w: w / place.across,
              h: h / place.down,
              confidence: score,
              kind,
            },
          ]
        : [];
    });
    return [...new Set(found.map(({ kind }) => kind))].flatMap((kind) =>
      suppress(
        found.filter((box) => box.kind === kind),
        sameBox,
      ),
    );
  };
  return {
    name,
    kinds: [...new Set(kinds.filter((kind) => kind !== null))],
    confidence,
    views,
    sameBox,
    memory: manifest.memory ?? runBytes(manifest, modelBytes),
    get tensorBytes() {
      return tensorBytes;
    },
    detect: (view, signal) =>
      oneAfterAnother(runtime, () => {
        signal?.throwIfAborted();
        return run(view).catch((error) => {
          throw error instanceof HeadError ? new DetectorError(name, [error.message]) : error;
        });
      }),
    release: async () => session.release?.(),
  };
}

/** @throws DetectorError if the model has no such input, or others besides it */
function inputOf({ inputNames }: OnnxSession, { name, input }: Manifest): string {
  const wanted = input.name ?? inputNames[0];
  if (inputNames.length === 1 && inputNames[0] === wanted) return wanted!;
  const expected = input.name === undefined ? 'one input' : `one input, ${input.name},`;
  throw new DetectorError(name, [
    `Expected ${expected} but the model has ${inputNames.join(', ') || 'none'}`,
  ]);
}

/** The arrays in a run's results, of whatever type. */
const arraysOf = (results: Readonly<Record<string, unknown>>): ArrayBufferView[] =>
  Object.values(results).flatMap((value) => {
    const { data } = value as { readonly data?: unknown };
    return ArrayBuffer.isView(data) ? [data] : [];
  });

const bytesOf = (results: Readonly<Record<string, unknown>>): number =>
  arraysOf(results).reduce((sum, { byteLength }) => sum + byteLength, 0);

function floatOutputs(results: Readonly<Record<string, unknown>>): Outputs {
  const outputs: Record<string, OutputTensor> = {};
  for (const [name, value] of Object.entries(results)) {
    const { dims, data } = value as OutputTensor;
    if (data instanceof Float32Array) outputs[name] = { dims, data };
  }
  return outputs;
}

/** A grey picture of the shape that the detector sees most often. */
export function greyView(manifest: Manifest): View {
  const { width, height } = largestInput(manifest);
  return { width, height, data: new Uint8ClampedArray(width * height * 4).fill(128) };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 300);
