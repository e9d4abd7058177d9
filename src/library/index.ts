import type { DetectResult, InspectResult } from '../ops/responses.ts';
import type { DetectOpsInput, InspectOpsInput } from '../ops/schema.ts';
import type { ImageInput } from './image_input.ts';
import type { CallOptions, LibrarySanitizeOps, ProgressCallOptions, SanitizedImage } from './options.ts';

export type { DetectedBox, Detector, View, ViewPlan } from '../detectors/detector.ts';
export type * from '../ops/account.ts';
export type * from '../ops/responses.ts';
export type { DetectOpsInput, InspectOpsInput } from '../ops/schema.ts';
export { ImageError, type ImageErrorCode } from './image_error.ts';
export type { ImageInput } from './image_input.ts';
export type {
  CallOptions,
  LibrarySanitizeOps as SanitizeOpsInput,
  Progress,
  ProgressCallOptions,
  SanitizedImage,
} from './options.ts';

/** The pipeline and its modules are loaded at the first call; importing this file loads none of them. */
const jobs = () => import('./jobs.ts');

/**
 * Cleans an image: the same as POST /v1/sanitize, with the same ops and the same resulting bytes. Nothing
 * leaves the machine.
 * @throws ImageError if the image or the ops are refused; the signal's reason when aborted
 */
export async function sanitize(
  image: ImageInput,
  ops?: LibrarySanitizeOps,
  options?: ProgressCallOptions,
): Promise<SanitizedImage> {
  return (await jobs()).sanitizeJob(image, ops, options);
}

/** Finds faces, like POST /v1/detect. @throws as `sanitize` */
export async function detect(
  image: ImageInput,
  ops?: DetectOpsInput,
  options?: ProgressCallOptions,
): Promise<DetectResult> {
  return (await jobs()).detectJob(image, ops, options);
}

/** Reports what a file carries, like POST /v1/inspect; decodes no pixels. @throws as `sanitize` */
export async function inspect(
  image: ImageInput,
  ops?: InspectOpsInput,
  options?: CallOptions,
): Promise<InspectResult> {
  return (await import('./inspect_job.ts')).inspectJob(image, ops, options);
}
