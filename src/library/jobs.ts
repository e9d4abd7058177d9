import { loadCore } from '../core/instance.ts';
import { checkedDetectors } from '../detectors/detector.ts';
import { createFaceDetector } from '../faces/detector.ts';
import { faceNetworks } from '../faces/network/face_networks.ts';
import type { DetectResult } from '../ops/responses.ts';
import { detectOpsSchema, libraryOpsSchema } from '../ops/schema.ts';
import { createReadableDetector } from '../readable/detector.ts';
import { readingNetwork } from '../readable/reading_network.ts';
import { detect } from '../sanitize/detect.ts';
import type { Runtime } from '../sanitize/runtime.ts';
import { sanitize } from '../sanitize/sanitize.ts';
import { budgetOf } from './budgets.ts';
import type { ImageInput } from './image_input.ts';
import type { ProgressCallOptions, SanitizedImage } from './options.ts';
import { type JobRuntime, runJob } from './run_job.ts';
import { validOps } from './valid_ops.ts';

const loaded = (given: ArrayBuffer | (() => Promise<ArrayBuffer>)) =>
  typeof given === 'function' ? given() : given;
/** The models are loaded when faces are first looked for, and shared by all calls. */
const { network, tileNetwork, verifier } = faceNetworks(
  async () => loaded((await import('../../models/face_detector.onnx')).default),
  async () => loaded((await import('../../models/yunet_n.onnx')).default),
);
const detector = createFaceDetector(network, verifier, tileNetwork);
const readable = createReadableDetector(
  readingNetwork(async () => loaded((await import('../../models/readable_detector.onnx')).default)),
);

const withBudget = ({ bytes, ...runtime }: JobRuntime, options?: ProgressCallOptions): Runtime => ({
  ...runtime,
  budget: budgetOf(bytes),
  detector,
  readable,
  detectors: options?.detectors && checkedDetectors(options.detectors),
});

/** Uses all detectors that a caller passed, unless the ops choose among them. */
function chosen<Rules>(rules: Rules | undefined, { detectors = [] }: ProgressCallOptions = {}) {
  if (rules !== undefined || detectors.length === 0) return {};
  return { detectors: Object.fromEntries(detectors.map(({ name }) => [name, true])) };
}

/** `sanitize` of the library (index.ts). */
export const sanitizeJob = (
  image: ImageInput,
  ops: unknown,
  options?: ProgressCallOptions,
): Promise<SanitizedImage> =>
  runJob(
    image,
    () => validOps(libraryOpsSchema, ops),
    options,
    async (file, valid, runtime, signal) => {
      await loadCore();
      const pixelate = { ...valid.pixelate, ...chosen(valid.pixelate.detectors, options) };
      const ops = { ...valid, pixelate, response: 'binary' } as const;
      return sanitize(file, ops, withBudget(runtime, options), signal);
    },
  );

/** `detect` of the library (index.ts). */
export const detectJob = (
  image: ImageInput,
  ops: unknown,
  options?: ProgressCallOptions,
): Promise<DetectResult> =>
  runJob(
    image,
    () => validOps(detectOpsSchema, ops),
    options,
    async (file, valid, runtime, signal) => {
      await loadCore();
      const ops = { ...valid, ...chosen(valid.detectors, options) };
      return detect(file, ops, withBudget(runtime, options), signal);
    },
  );
