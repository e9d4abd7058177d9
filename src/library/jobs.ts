import type * as z from 'zod';
import { home } from '#home';
import { loadCore } from '../core/instance.ts';
import { createFaceDetector } from '../faces/detector.ts';
import { faceNetwork } from '../faces/network/network.ts';
import { verifierNetwork } from '../faces/network/verifier_network.ts';
import type { DetectResult, InspectResult } from '../ops/responses.ts';
import { detectOpsSchema, inspectOpsSchema, sanitizeOpsSchema } from '../ops/schema.ts';
import { validateOps } from '../ops/validate.ts';
import { detect } from '../sanitize/detect.ts';
import { inspect } from '../sanitize/inspect.ts';
import { type Runtime, sanitize } from '../sanitize/pipeline.ts';
import { budgetOf } from './budgets.ts';
import { ImageError, toImageError } from './image_error.ts';
import { type ImageInput, readImage } from './image_input.ts';
import type { CallOptions, ProgressCallOptions, SanitizedImage } from './options.ts';

/** The model is loaded when faces are first looked for, and shared by all calls. */
const weights = async () => loaded((await import('../../models/face_detector.onnx')).default);
const loaded = (given: ArrayBuffer | (() => Promise<ArrayBuffer>)) =>
  typeof given === 'function' ? given() : given;
const detector = createFaceDetector(faceNetwork(weights), verifierNetwork(weights));

/** `sanitize` of the library (index.ts). */
export const sanitizeJob = (
  image: ImageInput,
  ops: unknown,
  options: ProgressCallOptions = {},
): Promise<SanitizedImage> =>
  run(image, ops, sanitizeOpsSchema, options, (file, valid, runtime) => {
    return sanitize(file, valid, { ...runtime, ...telling(options) }, options.signal);
  });

/** `detect` of the library (index.ts). */
export const detectJob = (
  image: ImageInput,
  ops: unknown,
  options: ProgressCallOptions = {},
): Promise<DetectResult> =>
  run(image, ops, detectOpsSchema, options, (file, valid, runtime) =>
    detect(file, valid, { ...runtime, ...telling(options) }, options.signal),
  );

/** `inspect` of the library (index.ts). */
export const inspectJob = (
  image: ImageInput,
  ops: unknown,
  options: CallOptions = {},
): Promise<InspectResult> =>
  run(image, ops, inspectOpsSchema, options, (file, valid, runtime) =>
    inspect(file, valid, runtime, options.signal),
  );

/** Ops are judged before the image is read, so that a mistake in them costs nothing. */
async function run<S extends z.ZodType, T>(
  image: ImageInput,
  ops: unknown,
  schema: S,
  { signal, memoryBudget }: CallOptions,
  job: (file: Uint8Array, ops: z.output<S>, runtime: Runtime) => Promise<T>,
): Promise<T> {
  const valid = validateOps(schema, ops);
  if (!valid.ok) {
    const [first] = valid.issues;
    throw new ImageError('invalid_ops', `${first?.path || 'ops'}: ${first?.message}`, valid.issues);
  }
  const budget = budgetOf(memoryBudget);
  await loadCore();
  const file = await readImage(image, budget.capacity, signal);
  try {
    return await job(file, valid.ops, { budget, detector, giveTurn: home.nextTurn });
  } catch (error) {
    throw toImageError(error);
  }
}

/** A listener's own mistake must not end the job: it is reported where uncaught errors are. */
const telling = ({ onProgress }: ProgressCallOptions): Pick<Runtime, 'onProgress'> => ({
  onProgress:
    onProgress &&
    ((phase, share) => {
      try {
        onProgress({ phase, share });
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }),
});
