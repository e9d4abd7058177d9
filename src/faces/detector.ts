import type { Raster, Size } from '../codecs/types.ts';
import type { TimeSlice } from '../time_slice.ts';
import type { ScoredBox } from './boxes.ts';
import { planDetection } from './detection_plan.ts';
import { passInputsCost } from './pass_inputs.ts';
import { Search } from './search.ts';
import { type FaceSession, faceSession } from './session.ts';
import { zoomPassCost } from './zoom_pass.ts';

/**
 * A face in pixels of the raster, tight (hairline to chin, ear to ear), not padded; it may reach outside.
 */
export interface Face extends ScoredBox {}

export interface Detection {
  /** At the confidence asked for or above, most confident first; one box a face. */
  readonly faces: readonly Face[];
  /** Candidates from 0.05 up that stayed below the confidence asked for, most confident first. */
  readonly belowConfidence: readonly ScoredBox[];
  /** Runs of the model. */
  readonly passes: number;
}

interface DetectOptions {
  /** 0.05 to 0.99 */
  readonly confidence: number;
  /**
   * `coarse`: the whole image only, upright. `thorough`: also tiles, a zoom pass over uncertain small faces,
   * and the other three orientations where no confident face is found upright.
   */
  readonly effort: 'thorough' | 'coarse';
  /** Lets other jobs run between passes and while the raster is read. Absent: detection does not pause. */
  readonly slice?: TimeSlice;
}

export interface FaceDetector {
  /**
   * Peak bytes that detection holds for a picture of this size: the model's input and the shrunk pictures.
   * The model runtime's heap is not part of it: it belongs to the isolate (`runtimeHeapBytes`).
   */
  cost(size: Size): number;
  /** The raster width that detection can use: a decoder may shrink a picture of this size down to it. */
  wantedWidth(size: Size): number;
  /**
   * Reads the raster once; for `thorough`, once more where small faces are uncertain and the raster shows
   * them in more detail.
   * @throws whatever the raster throws, and Error when the model cannot be started
   */
  detect(source: Raster, options: DetectOptions): Promise<Detection>;
}

/**
 * Most the model runtime's memory grows to over any mix of passes (docs/faces.md; a test measures it). The
 * isolate keeps it.
 */
export const runtimeHeapBytes = 38 * 1024 * 1024;

/** Small faces gain from a scale up to this many times finer than that of the tiles. */
const maxZoomGain = 3;

/**
 * The picture is rotated where no face is found upright with this confidence, or the one asked for if higher.
 */
const confidentUpright = 0.985;

/** A rotation counts only where a face is found in it with more than this confidence. */
const minRotatedConfidence = 0.83;

/**
 * Small faces found with less confidence than this, or than asked for, go through a zoom pass. These figures
 * are measured: docs/faces.md.
 */
const zoomBelow = 0.6;

/** @param open returns the session; called for every detection */
export function createFaceDetector(open: () => Promise<FaceSession> = faceSession): FaceDetector {
  return {
    cost: (size) => Search.tensorBytes + passInputsCost(size, planDetection(size)) + zoomPassCost(size),
    wantedWidth: (size) => {
      const { whole, fine } = planDetection(size);
      return Math.min(size.width, fine ? fine.size.width * maxZoomGain : whole.width);
    },
    async detect(source, { confidence, effort, slice }) {
      const search = new Search(await open(), source, slice);
      const { fine, ...wholes } = planDetection(source);
      if (effort === 'coarse') {
        await search.upright(wholes);
      } else {
        await search.upright({ ...wholes, ...(fine && { fine }) });
        await search.zoom(Math.max(confidence, zoomBelow));
        if (search.highestConfidence < Math.max(confidence, confidentUpright))
          await search.otherRotations(minRotatedConfidence);
      }
      const all = search.merged();
      const faces = all.filter((face) => face.confidence >= confidence);
      const belowConfidence = all.filter((candidate) => candidate.confidence < confidence);
      return { faces, belowConfidence, passes: search.passes };
    },
  };
}

/** The detector of the isolate; the model is loaded at the first detection. */
export const faceDetector: FaceDetector = createFaceDetector();
