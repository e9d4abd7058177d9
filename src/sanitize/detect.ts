import { clipBox, padBox } from '../faces/boxes.ts';
import { imageName } from '../faults.ts';
import { bytesOf, bytesOutsideCores, type ImageFile } from '../memory/image_file.ts';
import type { Reservation } from '../memory/reservation.ts';
import type { DetectResult } from '../ops/responses.ts';
import type { DetectOps } from '../ops/schema.ts';
import { isLong } from '../scheduling/run_queue.ts';
import { JOB_TIME } from '../scheduling/time_slice.ts';
import { OWN_KINDS } from '../vocabulary/own_kinds.ts';
import { answeredBox, belowConfidence } from './below_confidence.ts';
import { findFaces } from './find_faces.ts';
import { detectorSearches, findThings, readableSearch } from './find_things.ts';
import { answeredThings } from './found_things.ts';
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
  const { budget, detector, onProgress } = runtime;
  const time = timeOf(runtime, signal);
  const { kinds } = ops;
  const named = kinds.filter((kind) => !OWN_KINDS.includes(kind));
  const chosen = [
    ...readableSearch({ plate: kinds.includes('plate'), text: kinds.includes('text') }, runtime, 'kinds'),
    ...detectorSearches(Object.fromEntries(named.map((name) => [name, true])), runtime, 'kinds'),
    ...detectorSearches(ops.detectors, runtime, 'detectors'),
  ];
  const wantsFaces = kinds.includes('face');
  await time.spend(JOB_TIME);
  const bytes = bytesOf(file);
  const facts = await readFactsInTurns(bytes, time);
  requireDecodable(facts);
  const { bands, sizes, want, work, predictedBytes, outsideCores } = planDetect(
    facts,
    bytes.length,
    wantsFaces ? detector : undefined,
    chosen,
  );
  const announced = announcedTime(work, { facts, bytes: bytes.length });
  time.announce(announced);
  const what = `a ${imageName(facts)}`;
  const outside = Math.min(outsideCores + bytesOutsideCores(file), predictedBytes);
  using _reservation = await budget.reserve(predictedBytes, what, signal, outside, memory, isLong(announced));
  const { upright } = sizes;
  try {
    onProgress?.('detecting', 0);
    const job = { facts, ops: {}, bandBytes: bands.detection };
    const { faces, belowConfidence: near } = wantsFaces
      ? await findFaces({ file, ...job, sizes, want, confidence: ops.confidence, detector, time, onProgress })
      : { faces: [], belowConfidence: [] };
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
      ...((ops.detectors || kinds.some((kind) => kind !== 'face')) && {
        boxes: answeredThings(things, upright),
      }),
    };
  } catch (error) {
    throw namedFault(error, facts);
  }
}
