/**
 * Value ranges of the layers of models/readable_detector.onnx, like those of the other networks in
 * src/faces/network/ranges.ts; must be determined again for new weights.
 */
export const readingRanges = [
  ...[6, 6, 6, 6, 6, 5, 6, 5, 5, 6, 5, 6, 6, 6, 6, 7, 5, 6, 6, 5, 6, 6, 6, 6, 6, 6, 7],
  ...[6, 7, 6, 5, 6, 6, 6, 7, 8, 6, 5],
] as const;
