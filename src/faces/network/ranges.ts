/**
 * Ranges of each network's layers, in the order of their weights in memory: a layer's outputs lie between
 * -2^range and 2^range. scripts/eval_faces/ranges.mjs finds them, for twice the largest outputs over some
 * seventy photographs of the training set, noise and a hard edge. Larger outputs saturate. Layers that are
 * added to each other have the same range.
 */
export const ranges = {
  faceDetector: [
    ...[5, 5, 6, 6, 6, 6, 5, 5, 5, 6, 5, 6, 6, 5, 6, 6, 6, 6, 6, 7, 6, 5, 6, 6, 6],
    ...[6, 7, 5, 6, 5, 5, 7, 8, 6, 7, 5, 5, 7, 8, 7, 7, 4, 5],
  ],
  yunet: [
    ...[4, 4, 4, 4, 4, 3, 4, 3, 3, 2, 3, 3, 4, 3, 4, 3, 4, 3, 4, 3, 3, 1, 3, 1, 4],
    ...[2, 4, 3, 3, 3, 4, 2, 5, 1, 5, 5, 5, 6, 5, 4, 5],
  ],
  verifier: [5, 5, 6, 6, 6, 6, 5, 5, 5, 6, 5, 6, 6, 5, 6, 6, 6, 6, 6, 5, 6, 4],
} as const;
