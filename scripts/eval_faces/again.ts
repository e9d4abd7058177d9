import type { Raster } from '../../src/codecs/types.ts';
import { type Box, holdsCentre, overlap } from '../../src/faces/boxes.ts';
import type { Face, FaceDetector } from '../../src/faces/detector.ts';

/** A labelled picture of pictures.mjs, upright. */
interface Openable {
  open(turns: number): Promise<{ raster: Raster }>;
}

/**
 * How many faces were detected and covered, and how many of those the detector still finds in what came out.
 */
export interface FoundAgain {
  covered: number;
  again: number;
}

/**
 * Whether one of the boxes found later lies where the face was: a quarter of both in common, or centre on
 * centre.
 */
const isFoundBy = (face: Box, later: readonly Box[]) =>
  later.some((box) => overlap(face, box) >= 0.25 || (holdsCentre(face, box) && holdsCentre(box, face)));

/**
 * Detects faces in every picture, has them covered, and looks again at the result: at full effort, at the
 * same confidence.
 * @param cover gives the picture as its receiver decodes it, of the same size as `raster`
 */
export async function countFoundAgain(
  pictures: Iterable<Openable>,
  detector: FaceDetector,
  confidence: number,
  cover: (raster: Raster, faces: readonly Face[]) => Promise<Raster>,
): Promise<FoundAgain> {
  const options = { confidence, effort: 'thorough' } as const;
  const count: FoundAgain = { covered: 0, again: 0 };
  for (const picture of pictures) {
    const { raster } = await picture.open(0);
    const { faces } = await detector.detect(raster, options);
    if (faces.length === 0) continue;
    const { faces: later } = await detector.detect(await cover(raster, faces), options);
    count.covered += faces.length;
    count.again += faces.filter((face) => isFoundBy(face, later)).length;
  }
  return count;
}
