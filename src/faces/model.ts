/**
 * The contract of models/face_detector.onnx (its card is models/README.md): all that the code knows about the
 * weights. New weights of the same shape change only the hash.
 */
export const model = {
  /** `cfg` that it was trained with. */
  shape: { channels: [16, 40, 80, 112, 144], blocks: [1, 2, 3, 2], neck: 80 },
  name: 'face_detector',
  /** Of the file; a test compares it. */
  sha256: '8482094999f532c9f9ad0caef4c4b6153be73a9d8d7491faff5ac3345825d794',
} as const;

/** The network for tiles: a file by other authors (models/README.md). */
export const tileModel = {
  name: 'yunet_n',
  sha256: '104ee26c71d5c270ce79a6b3dced91c91013260d29a6bf18f9296c5b8c4c2b12',
} as const;

/** The verifier in the same file: how wide and deep, as `cfg` of models/training/train/verifier.py. */
export const verifierShape = { channels: [16, 48, 96, 144], blocks: [1, 2, 4], last: 32 } as const;

/**
 * Both sides of the input are multiples of this, the stride of the coarsest level; the rest is padded with
 * zeros.
 */
export const inputMultiple = 32;

/** Boxes overlapping by more than this (intersection over union) are one face: the card's figure. */
export const sameFace = 0.45;

/** The logit of a view that has no box in a cluster. Boxes with a lower score are dropped. */
export const leastLogit = -4;

/** The lowest confidence a caller may ask for. */
export const leastConfidence = 0.05;

/** The logit (log-odds) of a score, `leastLogit` at least. */
export const logit = (score: number): number =>
  Math.max(leastLogit, Math.log(Math.max(score, 1e-6) / Math.max(1 - score, 1e-6)));

/** The score of a logit. */
export const scoreOf = (value: number): number => 1 / (1 + Math.exp(-value));

/**
 * The confidence of a face with this fused logit: at 0.6 there is one wrong box in seven pictures
 * (docs/faces.md: how it was measured).
 */
export const calibrated = (fused: number): number => scoreOf(1.2 * fused + 1.67);

/** The verifier's answer for a crop: log-odds of a face against an animal, and against all else. */
export interface Verdict {
  readonly animal: number;
  readonly other: number;
}

/** A verdict, and how sharp its crop was: pixels of the picture per pixel of the crop, 1 at most. */
export interface Judgement extends Verdict {
  readonly sharpness: number;
}

/**
 * Subtracted from the logit of a face that is seen upright. Many views show it, which makes them surer of
 * wrong boxes, too (docs/faces.md: how it was chosen).
 */
const surerUpright = 1.05;

/**
 * The logit of a face after the verifier's judgement (docs/faces.md: how the numbers were chosen).
 *
 * - A judged face gains a bonus over one that was not judged, unless only a tilted view shows it.
 * - A verdict for an animal costs more than consent gives. Against all else, only consent counts.
 * - Bonus and refusal are scaled by the crop's sharpness: of a blurred crop the verifier can't tell what is
 *   no face. But what it surely takes for a face is one, so consent is not scaled.
 * @param judgement absent: the verifier was not asked
 * @param turned degrees by which the picture was turned clockwise when the face was seen; 0: none
 */
export const judged = (fused: number, judgement?: Judgement, turned = 0): number => {
  const seen = turned === 0 ? fused - surerUpright : fused;
  if (!judgement) return seen;
  const { animal, other, sharpness } = judgement;
  const bonus = turned % 90 === 0 ? 1.5 : 0;
  const refusal = 1.5 * Math.max(0, 0.5 - animal);
  const consent = 0.7 * Math.max(0, againstAll(animal, other) - 1);
  return seen + sharpness * (bonus - refusal) + consent;
};

const againstAll = (animal: number, other: number): number => -Math.log(Math.exp(-animal) + Math.exp(-other));

/** Rounded up to a multiple of `inputMultiple`. */
export const inputSide = (side: number): number => Math.ceil(side / inputMultiple) * inputMultiple;
