import type { Raster, Size } from '../codecs/types.ts';
import type { TimeSlice } from '../time_slice.ts';
import type { ScoredBox } from './boxes.ts';
import { planDetection } from './detection_plan.ts';
import { readingCost } from './pass_inputs.ts';
import { Search } from './search.ts';
import { type FaceSession, faceSession } from './session.ts';
import { sheetsCost } from './zoom_pass.ts';

/**
 * A face in the pixels of the raster looked at, tight (hairline to chin, ear to ear), not padded; it may
 * reach outside.
 */
export interface Face extends ScoredBox {}

export interface Detection {
  /** At the confidence asked for or above, most confident first; one box a face. */
  readonly faces: readonly Face[];
  /** Candidates from 0.05 up that stayed below the confidence asked for. */
  readonly belowConfidence: number;
  /** Runs of the model. */
  readonly passes: number;
}

interface DetectOptions {
  /** 0.05 to 0.99 */
  readonly confidence: number;
  /**
   * `coarse`: the whole image only, upright. `thorough`: also tiles, doubtful small faces again in more
   * detail, and the other three turns where nothing is found upright.
   */
  readonly effort: 'thorough' | 'coarse';
  /** Lets others run between passes and while the raster is read. Absent: nobody waits. */
  readonly slice?: TimeSlice;
}

export interface FaceDetector {
  /**
   * Peak bytes that detection holds for a picture of this size: the model's input and the shrunk pictures.
   * The model runtime's heap is no job's: it is the isolate's (`runtimeHeapBytes`).
   */
  cost(size: Size): number;
  /** The raster width at which nothing is lost: a decoder may shrink a picture of this size down to it. */
  wantedWidth(size: Size): number;
  /**
   * Reads the raster once; for `thorough`, once more where small faces are in doubt and the raster has more
   * detail of them.
   * @throws whatever the raster throws, and Error when the model cannot be started
   */
  detect(source: Raster, options: DetectOptions): Promise<Detection>;
}

/**
 * Most the model runtime's memory grows to over any mix of passes (docs/faces.md: measured; a test holds it
 * to this). It stays with the isolate once there.
 */
export const runtimeHeapBytes = 38 * 1024 * 1024;

/** Small faces gain from detail up to this many times finer than the tiles show. */
const finestGain = 3;

/**
 * The picture is turned where nothing is seen upright with this confidence, or the one asked for if that is
 * higher.
 */
const surelyUpright = 0.985;

/** A face seen in another turn has to be this sure for that turn to count. */
const surelyTurned = 0.83;

/**
 * Small faces seen with less confidence than this, or than asked for, are looked at in more detail. All of
 * these by measurement: docs/faces.md.
 */
const sure = 0.6;

/** @param open returns the session; called for every detection */
export function createFaceDetector(open: () => Promise<FaceSession> = faceSession): FaceDetector {
  return {
    cost: (size) => Search.tensorBytes + readingCost(size, planDetection(size)) + sheetsCost(size),
    wantedWidth: (size) => {
      const { whole, fine } = planDetection(size);
      return Math.min(size.width, fine ? fine.size.width * finestGain : whole.width);
    },
    async detect(source, { confidence, effort, slice }) {
      const search = new Search(await open(), source, slice);
      const { fine, ...wholes } = planDetection(source);
      if (effort === 'coarse') {
        await search.upright(wholes);
      } else {
        await search.upright({ ...wholes, ...(fine && { fine }) });
        await search.again(Math.max(confidence, sure));
        if (search.surest < Math.max(confidence, surelyUpright)) await search.otherTurns(surelyTurned);
      }
      const all = search.merged();
      const faces = all.filter((face) => face.confidence >= confidence);
      return { faces, belowConfidence: all.length - faces.length, passes: search.passes };
    },
  };
}

/** The one detector of the isolate; nothing is loaded before it is first asked. */
export const faceDetector: FaceDetector = createFaceDetector();
