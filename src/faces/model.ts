/**
 * The contract of models/face_detector.onnx (its card is beside it): all that the code knows of the weights.
 * Nothing here may need changing for new weights but the hash.
 */
export const model = {
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

/** The lowest confidence a caller may ask for; what scores less is not a candidate. */
export const leastConfidence = 0.05;

/** Rounded up to what the input may measure. */
export const inputSide = (side: number): number => Math.ceil(side / inputMultiple) * inputMultiple;
