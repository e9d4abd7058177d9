/**
 * The contract of models/face_detector.onnx (its card is beside it): all that the code knows of the weights.
 * Nothing here may need changing for new weights but the hash.
 */
export const model = {
  name: 'face_detector',
  /** Of the file; a test compares them. */
  sha256: '3274592abc42b0a0ec1aaee27c06b17f501939619d8e7ca36176937e97635fcd',
} as const;

/** The contract of models/face_verifier.onnx: logits [n] of crops [n, 3, 64, 64] (verifier.ts). */
export const verifierModel = {
  name: 'face_verifier',
  sha256: '12dc7c12a921c1b17ef6661154d9010ebce131b86bedcfb3e1cc93fa2d78f13c',
} as const;

/**
 * The tensor at which a run may pause (model_parts.ts): the features of stride 8. About half of the work
 * stands before it, and nothing else is needed after it.
 */
export const cutAt = '/model/s8/s8.1/Relu_output_0';

/** Bytes of that tensor for an input of so many pixels: 80 channels of floats. */
export const featureBytes = (pixels: number): number => (pixels / 8 ** 2) * 80 * 4;

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

/**
 * A fused logit once the verifier has said its logit, too, or 0 where it was not asked: refusals weigh more than
 * consent, and between lies what says nothing. Since wrong boxes are refused, the others count for more (docs/faces.md:
 * how the four were chosen).
 */
export const judged = (fused: number, verdict: number): number =>
  fused + 0.4 - 2 * Math.max(0, -1 - verdict) + 0.3 * Math.max(0, verdict - 1);

/** Rounded up to what the input may measure. */
export const inputSide = (side: number): number => Math.ceil(side / inputMultiple) * inputMultiple;
