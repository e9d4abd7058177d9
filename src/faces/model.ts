/**
 * The contract of models/face_detector.onnx (its card is beside it): all that the code knows of the weights.
 * For new weights of the same shape nothing here changes but the hash.
 */
export const model = {
  /** `cfg` that it was trained with. */
  shape: { channels: [16, 40, 80, 112, 144], blocks: [1, 2, 3, 2], neck: 80 },
  name: 'face_detector',
  /** Of the file; a test compares them. */
  sha256: '3274592abc42b0a0ec1aaee27c06b17f501939619d8e7ca36176937e97635fcd',
} as const;

/**
 * Both sides of the input are multiples of this, the stride of the coarsest level; the rest is padded with
 * zeros.
 */
export const inputMultiple = 32;

/** Boxes overlapping by more than this (intersection over union) are one face: the card's figure. */
export const sameFace = 0.45;

/** The opinion of a look that has no box at a spot: log-odds. What the model scores less is no box. */
export const leastLogit = -4;

/** The lowest confidence a caller may ask for. */
export const leastConfidence = 0.05;

/** Log-odds of a score of the model, from `leastLogit` up. */
export const logit = (score: number): number =>
  Math.max(leastLogit, Math.log(Math.max(score, 1e-6) / Math.max(1 - score, 1e-6)));

/** The score of a logit. */
export const scoreOf = (value: number): number => 1 / (1 + Math.exp(-value));

/**
 * The confidence of a face whose looks have this logit together: at 0.6 there is one wrong box in four
 * pictures (docs/faces.md: how it was measured).
 */
export const calibrated = (fused: number): number => scoreOf(1.2 * fused + 1.67);

/** Rounded up to what the input may measure. */
export const inputSide = (side: number): number => Math.ceil(side / inputMultiple) * inputMultiple;
