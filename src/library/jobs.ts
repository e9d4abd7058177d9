import { loadCore } from '../core/instance.ts';
import { createFaceDetector } from '../faces/detector.ts';
import { faceNetwork } from '../faces/network/network.ts';
import { verifierNetwork } from '../faces/network/verifier_network.ts';
import type { DetectResult } from '../ops/responses.ts';
import { detectOpsSchema, libraryOpsSchema } from '../ops/schema.ts';
import { detect } from '../sanitize/detect.ts';
import { sanitize } from '../sanitize/pipeline.ts';
import type { Runtime } from '../sanitize/runtime.ts';
import { budgetOf } from './budgets.ts';
import type { ImageInput } from './image_input.ts';
import type { ProgressCallOptions, SanitizedImage } from './options.ts';
import { type JobRuntime, runJob } from './run_job.ts';
import { validOps } from './valid_ops.ts';

/** The model is loaded when faces are first looked for, and shared by all calls. */
const weights = async () => loaded((await import('../../models/face_detector.onnx')).default);
const loaded = (given: ArrayBuffer | (() => Promise<ArrayBuffer>)) =>
  typeof given === 'function' ? given() : given;
const detector = createFaceDetector(faceNetwork(weights), verifierNetwork(weights));

const withBudget = ({ bytes, ...runtime }: JobRuntime): Runtime => ({
  ...runtime,
  budget: budgetOf(bytes),
  detector,
});

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
      return sanitize(file, { ...valid, response: 'binary' }, withBudget(runtime), signal);
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
      return detect(file, valid, withBudget(runtime), signal);
    },
  );
