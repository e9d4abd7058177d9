import { clipBox, padBox } from '../faces/boxes.ts';
import { imageName } from '../faults.ts';
import { bytesOf, bytesOutsideCores, type ImageFile } from '../memory/image_file.ts';
import type { Reservation } from '../memory/reservation.ts';
import type { DetectResult } from '../ops/responses.ts';
import type { DetectOps } from '../ops/schema.ts';
import { JOB_TIME } from '../time_slice.ts';
import { answeredBox, belowConfidence } from './below_confidence.ts';
import { findFaces } from './find_faces.ts';
import { answeredThings, chosenDetectors, findThings } from './find_things.ts';
import { planDetect } from './plan.ts';
import { namedFault, readFactsInTurns, requireDecodable } from './read_header.ts';
import { type Runtime, timeOf } from './runtime.ts';

/**
 * Detects faces; the image is neither changed nor returned.
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
  const { budget, detector, onProgress } = runtime;
  const time = timeOf(runtime, signal);
  const chosen = chosenDetectors(ops.detectors, runtime, 'detectors');
  await time.spend(JOB_TIME);
  const bytes = bytesOf(file);
  const facts = await readFactsInTurns(bytes, time);
  requireDecodable(facts);
  const { bands, sizes, want, predictedBytes, outsideCores } = planDetect(
    facts,
    bytes.length,
    detector,
    chosen.map((one) => one.detector),
  );
  const what = `a ${imageName(facts)}`;
  const outside = Math.min(outsideCores + bytesOutsideCores(file), predictedBytes);
  using _reservation = await (memory?.growTo(predictedBytes, what, signal, outside) ??
    budget.reserve(predictedBytes, what, signal, outside));
  const { upright } = sizes;
  try {
    onProgress?.('detecting', 0);
    const { faces, belowConfidence: near } = await findFaces(
      file,
      { facts, ops: {}, bandBytes: bands.detection },
      sizes,
      want,
      ops.confidence,
      detector,
      time,
      onProgress,
    );
    const job = { facts, ops: {}, bandBytes: bands.detection };
    const things = await findThings(file, job, sizes, bands, chosen, time, signal);
    onProgress?.('detecting', 1);
    const boxes = faces.flatMap((face) => clipBox(padBox(face, ops.padding), upright) ?? []);
    return {
      ...upright,
      count: boxes.length,
      faces: boxes.map(answeredBox),
      ...(ops.belowConfidence && {
        belowConfidence: belowConfidence(near, boxes, upright, ops),
      }),
      ...(ops.detectors && { boxes: answeredThings(things, upright) }),
    };
  } catch (error) {
    throw namedFault(error, facts);
  }
}
