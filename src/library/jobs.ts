import type * as z from 'zod';
import { home } from '#home';
import { loadCore } from '../core/instance.ts';
import { createFaceDetector } from '../faces/detector.ts';
import { faceNetwork } from '../faces/network/network.ts';
import { verifierNetwork } from '../faces/network/verifier_network.ts';
import type { DetectResult, InspectResult } from '../ops/responses.ts';
import { detectOpsSchema, inspectOpsSchema, libraryOpsSchema } from '../ops/schema.ts';
import { validateOps } from '../ops/validate.ts';
import { detect } from '../sanitize/detect.ts';
import { inspect } from '../sanitize/inspect.ts';
import { type Runtime, sanitize } from '../sanitize/pipeline.ts';
import { budgetOf } from './budgets.ts';
import { ImageError, toImageError } from './image_error.ts';
import { dismissImage, type ImageInput, readImage } from './image_input.ts';
import type { CallOptions, ProgressCallOptions, SanitizedImage } from './options.ts';
import { tellProgress } from './tell_progress.ts';

/** The model is loaded when faces are first looked for, and shared by all calls. */
const weights = async () => loaded((await import('../../models/face_detector.onnx')).default);
const loaded = (given: ArrayBuffer | (() => Promise<ArrayBuffer>)) =>
  typeof given === 'function' ? given() : given;
const detector = createFaceDetector(faceNetwork(weights), verifierNetwork(weights));

/** `sanitize` of the library (index.ts). */
export const sanitizeJob = (
  image: ImageInput,
  ops: unknown,
  options?: ProgressCallOptions,
): Promise<SanitizedImage> =>
  run(image, ops, libraryOpsSchema, options, (file, valid, runtime, signal) =>
    sanitize(file, { ...valid, response: 'binary' }, runtime, signal),
  );

/** `detect` of the library (index.ts). */
export const detectJob = (
  image: ImageInput,
  ops: unknown,
  options?: ProgressCallOptions,
): Promise<DetectResult> => run(image, ops, detectOpsSchema, options, detect);

/** `inspect` of the library (index.ts). */
export const inspectJob = (image: ImageInput, ops: unknown, options?: CallOptions): Promise<InspectResult> =>
  run(image, ops, inspectOpsSchema, options, inspect);

/** Ops are judged before the image is read, so that a mistake in them costs nothing. */
async function run<S extends z.ZodType, T>(
  image: ImageInput,
  ops: unknown,
  schema: S,
  options: ProgressCallOptions | undefined,
  job: (file: Uint8Array, ops: z.output<S>, runtime: Runtime, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // The caller's signal ends a job, and a listener that fails does.
  const ending = new AbortController();
  const end = (reason: unknown) => ending.abort(reason);
  let follow: (() => void) | undefined;
  let signal: AbortSignal | undefined;
  try {
    const { onProgress, memoryBudget } = options ?? {};
    signal = options?.signal;
    const valid = validateOps(schema, ops);
    if (!valid.ok) {
      const [first] = valid.issues;
      throw new ImageError('invalid_ops', `${first?.path || 'ops'}: ${first?.message}`, valid.issues);
    }
    const budget = budgetOf(memoryBudget);
    signal?.throwIfAborted();
    follow = () => end(signal?.reason);
    signal?.addEventListener('abort', follow, { once: true });
    await loadCore();
    const { bytes } = await readImage(image, budget.capacity, ending.signal);
    const runtime: Runtime = {
      budget,
      detector,
      giveTurn: home.nextTurn,
      onProgress:
        onProgress &&
        ((phase, share) => {
          if (!ending.signal.aborted) tellProgress(onProgress, { phase, share }, end);
        }),
    };
    const result = await job(bytes, valid.ops, runtime, ending.signal);
    // In its last turn.
    ending.signal.throwIfAborted();
    return result;
  } catch (error) {
    dismissImage(image, error);
    throw toImageError(error);
  } finally {
    if (follow) signal?.removeEventListener('abort', follow);
  }
}
