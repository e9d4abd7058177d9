/**
 * The contract of models/face_detector.onnx (its card is beside it): all that the code knows of the weights.
 * For new weights of the same shape nothing here changes but the hash.
 */
export const model = {
  /** `cfg` that it was trained with. */
  shape: { channels: [16, 40, 80, 112, 144], blocks: [1, 2, 3, 2], neck: 80 },
  name: 'face_detector',
  /** Of the file; a test compares them. */
  sha256: '8482094999f532c9f9ad0caef4c4b6153be73a9d8d7491faff5ac3345825d794',
} as const;

/** The network for tiles: another file, of others (models/README.md). */
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

/** Log-odds that a view without a box in a cluster counts with. What the model scores less is no box. */
export const leastLogit = -4;

/** The lowest confidence a caller may ask for. */
export const leastConfidence = 0.05;

/** Log-odds of a score of the model, from `leastLogit` up. */
export const logit = (score: number): number =>
  Math.max(leastLogit, Math.log(Math.max(score, 1e-6) / Math.max(1 - score, 1e-6)));

/** The score of a logit. */
export const scoreOf = (value: number): number => 1 / (1 + Math.exp(-value));

/**
 * The confidence of a face whose views have this logit together: at 0.6 there is one wrong box in seven
 * pictures (docs/faces.md: how it was measured).
 */
export const calibrated = (fused: number): number => scoreOf(1.2 * fused + 1.67);

/** What the verifier says of a crop: log-odds of a face, against an animal and against all else. */
export interface Verdict {
  readonly animal: number;
  readonly other: number;
}

/** With how much detail the crop had: pixels of the picture for one of the crop, 1 at most. */
export interface Judgement extends Verdict {
  readonly sharpness: number;
}

/**
 * Taken off the logit of a face that is seen upright: so many views show it that they are the surer of what
 * is wrong, too (docs/faces.md: how it was chosen).
 */
const surerUpright = 1.05;

/**
 * A fused logit once the verifier has said its log-odds, too; without a judgement, where it was not asked.
 * That it rather is an animal weighs more than consent; that it rather is something else says nothing, and
 * between lies what says nothing either. What is not refused counts for more than what it was not asked
 * about, but not if it is seen only tilted, by one view. Both count by the crop's sharpness: of a blurred one
 * it can't tell what is no face, but what it takes for one for sure is one (docs/faces.md: how the numbers
 * were chosen).
 * @param turned clockwise, in degrees, what shows the face; 0: nothing is
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

/** Rounded up to what the input may measure. */
export const inputSide = (side: number): number => Math.ceil(side / inputMultiple) * inputMultiple;
