import { decoders } from '../codecs/registry.ts';
import { clipBox, padBox, roundBox } from '../faces/boxes.ts';
import type { Reservation } from '../memory/budget.ts';
import type { DetectResult } from '../ops/responses.ts';
import type { DetectOps } from '../ops/schema.ts';
import { uprightSize } from '../pixels/orient.ts';
import type { Runtime } from './pipeline.ts';
import { planDetect } from './plan.ts';
import { readFacts, requireDecodable } from './read_header.ts';
import { openReading } from './reading.ts';

const threeDecimals = (value: number) => Math.round(value * 1000) / 1000;

/**
 * Faces only; the image is neither changed nor returned.
 * @param memory what is reserved for `bytes` already; it goes over to the job
 * @throws Fault, see faults.ts
 */
export async function detect(
  bytes: Uint8Array,
  ops: DetectOps,
  { budget, detector }: Runtime,
  signal?: AbortSignal,
  memory?: Reservation,
): Promise<DetectResult> {
  const facts = readFacts(bytes);
  requireDecodable(facts);
  const upright = uprightSize(facts.width, facts.height, facts.orientation);
  const { want, predictedBytes } = planDetect(facts, bytes.length, detector);
  using _held = await (memory?.growTo(predictedBytes, 'this image', signal) ??
    budget.reserve(predictedBytes, 'this image', signal));
  using reading = await openReading(decoders[facts.format], bytes, facts, want, { x: 0, y: 0, ...upright });
  const { faces } = await detector.detect(reading.raster, { confidence: ops.confidence, look: 'thorough' });
  const boxes = faces.flatMap((face) => clipBox(padBox(reading.toCropped(face), ops.padding), upright) ?? []);
  return {
    ...upright,
    count: boxes.length,
    faces: boxes.map((face) => {
      const { x, y, w, h, confidence } = roundBox(face);
      return { x, y, w, h, confidence: threeDecimals(confidence) };
    }),
  };
}
