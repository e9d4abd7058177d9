import type { Raster, Size } from '../codecs/types.ts';
import type { MemoryCost } from '../memory/memory_cost.ts';
import type { TimeSlice } from '../scheduling/time_slice.ts';
import type { ScoredBox } from './boxes.ts';
import { planDetection } from './detection_plan.ts';
import { confident, type FusedBox } from './fusion.ts';
import { leastConfidence } from './model.ts';
import type { FaceModel } from './network/network.ts';
import type { FaceVerifier } from './network/verifier_network.ts';
import { Search } from './search.ts';
import { maxAtlases, maxCrowdAtlases } from './zoom_pass.ts';

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
   * `thorough`: tiles and the whole, zoom passes over uncertain small faces, finer tiles for a crowd, and the
   * picture turned and tilted where no confident face is found upright. `one_read`: of these what a single
   * read of the raster shows.
   */
  readonly effort: 'thorough' | 'one_read';
  /** Lets other jobs run between passes and while the raster is read. Absent: detection does not pause. */
  readonly slice?: TimeSlice;
}

export interface FaceDetector {
  /**
   * Peak bytes that detection holds for a picture of this size. In the core: the model's weights, its input
   * and features, and the shrunk pictures. Elsewhere: the candidates of a pass.
   */
  cost(size: Size): MemoryCost;
  /** The raster width that detection can make use of: a decoder may shrink a picture to it. */
  wantedWidth(size: Size): number;
  /**
   * Reads the raster once. For `thorough`, it reads it again for a crowd, and for uncertain small faces that
   * the raster shows in more detail, and in a turn.
   * @throws whatever the raster and loading the model throw, and Fault 'limit' when there is no memory for it
   */
  detect(source: Raster, options: DetectOptions): Promise<Detection>;
}

/** Zoom passes can use a raster up to this many times finer than the tiles. */
const maxZoomGain = 3;

/**
 * A turn counts only if it shows a new face with a logit above `least` (confidence 0.91). Up to `sure` (0.97)
 * both models have to see it.
 */
const turnedFrom = { least: 0.5, sure: 1.5 };

/**
 * The picture is tilted if the surest box is doubtful, with a logit between these (confidence 0.47 and 0.97),
 * or if any box of at least `side` pixels at half size is (0.62 and 0.95).
 */
const doubtful = { from: -1.5, below: 1.5 };
const doubtfulLarge = { from: -1, below: 1, side: 20 };

/**
 * Or if the surest face, up to this logit, is nearly as wide as high: upright and lying ones are not
 * (docs/faces.md: how it was chosen).
 */
const tiltedShape = { from: 0.85, below: 1.15, upTo: 3.5 };

/**
 * Small faces with a confidence between these, or below the one asked for, go through a zoom pass
 * (docs/faces.md: how they were measured).
 */
const zoomFrom = 0.12;
const zoomBelow = 0.75;

/** Many small faces of at least this confidence are a crowd, which gets finer tiles and more atlases. */
const crowdFrom = 0.3;

/** The verifier judges the surest candidates with at least this confidence, or the one asked for. */
const verifyFrom = 0.2;
const mostVerified = 64;

/**
 * @param verifier judges boxes. Absent: none is judged
 * @param tileModel sees tiles and the smallest view. Absent: `model` does
 */
export function createFaceDetector(
  model: FaceModel,
  verifier?: FaceVerifier,
  tileModel: FaceModel = model,
): FaceDetector {
  const models = { whole: model, tiles: tileModel };
  return {
    cost: (size) => Search.cost(models, size, planDetection(size)),
    wantedWidth: (size) => {
      const { whole, fine } = planDetection(size);
      return Math.min(size.width, fine ? fine.size.width * maxZoomGain : whole.width);
    },
    async detect(source, { confidence, effort, slice }) {
      const plan = planDetection(source);
      using search = new Search(models, source, plan, slice);
      await search.upright(plan);
      const isCrowd = search.isCrowd(crowdFrom);
      if (effort === 'thorough') {
        if (isCrowd && plan.crowd) await search.crowd(plan);
        const atlases = isCrowd ? maxCrowdAtlases : maxAtlases;
        await search.zoom(Math.min(confidence, zoomFrom), Math.max(confidence, zoomBelow), atlases);
      }
      // Tiles of a crowd in another turn would take too long, and no face of a crowd fills the picture.
      const { fine: _tiles, enlarged: _enlarged, tiny: _tiny, ...wholes } = plan;
      await search.turned(
        isCrowd || effort === 'one_read' ? wholes : plan,
        turnedFrom.least,
        turnedFrom.sure,
      );
      const [surest] = search.found();
      const { from, below, side } = doubtfulLarge;
      if ((surest && mayBeTilted(surest)) || search.hasBetween(from, below, side)) await search.tilted();
      const found = verifier
        ? await search.verified(verifier, Math.min(confidence, verifyFrom), mostVerified)
        : search.found();
      const all = found.map(confident);
      const candidates = all.filter((face) => face.confidence >= leastConfidence);
      const faces = candidates.filter((face) => face.confidence >= confidence);
      const belowConfidence = candidates.filter((candidate) => candidate.confidence < confidence);
      return { faces, belowConfidence, passes: search.passes };
    },
  };
}

function mayBeTilted({ logit, w, h }: FusedBox): boolean {
  const isDoubtful = logit > doubtful.from && logit < doubtful.below;
  const { from, below, upTo } = tiltedShape;
  return isDoubtful || (logit >= doubtful.below && logit < upTo && w > from * h && w < below * h);
}
