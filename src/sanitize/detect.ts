import { clipBox } from '../faces/boxes.ts';
import { imageName } from '../faults.ts';
import { bytesOf, bytesOutsideCores, type ImageFile } from '../memory/image_file.ts';
import type { Reservation } from '../memory/reservation.ts';
import type { DetectResult } from '../ops/responses.ts';
import type { DetectOps } from '../ops/schema.ts';
import { isLong } from '../scheduling/run_queue.ts';
import { JOB_TIME } from '../scheduling/time_slice.ts';
import { answeredBox, answeredThings, belowConfidence } from './answered.ts';
import { findersForDetect } from './finders.ts';
import { isFace, padded } from './hidden_areas.ts';
import { search } from './looks.ts';
import { announcedTime } from './pixel_time.ts';
import { planDetect } from './plan.ts';
import { namedFault, readFactsInTurns, requireDecodable } from './read_header.ts';
import { type Runtime, timeOf } from './runtime.ts';

/**
 * Detects faces, and what else is asked for; the image is neither changed nor returned.
 * @param memory what is already reserved for the file; the job takes it over
 * @throws Fault, see faults.ts
 */
export async function detect(
  file: ImageFile,
  ops: DetectOps,
  runtime: Runtime,
  signal?: AbortSignal,
  memory?: Reservation,
): Promise<DetectResult> {
  const { budget, onProgress } = runtime;
  const time = timeOf(runtime, signal);
  const finders = findersForDetect(ops, runtime);
  await time.spend(JOB_TIME);
  const bytes = bytesOf(file);
  const facts = await readFactsInTurns(bytes, time);
  requireDecodable(facts);
  const { look, work, predictedBytes, outsideCores } = planDetect(facts, bytes.length, finders);
  const announced = announcedTime(work, { facts, bytes: bytes.length });
  time.announce(announced);
  const what = `a ${imageName(facts)}`;
  const outside = Math.min(outsideCores + bytesOutsideCores(file), predictedBytes);
  using _reservation = await budget.reserve(predictedBytes, what, signal, outside, memory, isLong(announced));
  const { upright } = look.placement;
  try {
    onProgress?.('detecting', 0);
    const { found, doubtful } = await search([look], { file, time, signal, onProgress });
    onProgress?.('detecting', 1);
    const boxes = found.filter(isFace).flatMap((face) => clipBox(padded(face), upright) ?? []);
    return {
      ...upright,
      count: boxes.length,
      faces: boxes.map(answeredBox),
      ...(ops.belowConfidence && {
        belowConfidence: belowConfidence(doubtful, boxes, upright, ops),
      }),
      ...((ops.detectors || ops.kinds.some((kind) => kind !== 'face')) && {
        boxes: answeredThings(
          found.filter((one) => !isFace(one)),
          upright,
        ),
      }),
    };
  } catch (error) {
    throw namedFault(error, facts);
  }
}
