/**
 * wasm/assembly/faces: layers of the networks (addresses of 16-bit integers, counts of pixels and channels),
 * and what shrinks pictures for them.
 */
export interface FaceExports {
  faceNormaliseRow(from: number, plane: number, to: number, width: number, mean: number): void;
  faceNormaliseBytes(from: number, to: number, count: number, mean: number): void;
  faceStemRow(above: number, row: number, below: number, to: number, weights: number, width: number): void;
  faceDepthwiseRow(
    above: number,
    row: number,
    below: number,
    to: number,
    weights: number,
    width: number,
    channels: number,
    stride: number,
    least: number,
  ): void;
  faceMaxPoolRow(upper: number, lower: number, to: number, width: number, channels: number): void;
  facePointwiseRow(
    from: number,
    to: number,
    residual: number,
    weights: number,
    pixels: number,
    inputs: number,
    outputs: number,
    least: number,
  ): void;
  faceShrinkDown(from: number, sums: number, count: number, share: number): void;
  faceShrinkAcross(
    sums: number,
    to: number,
    width: number,
    targets: number,
    channels: number,
    factor: number,
  ): void;
  faceAddCoarseRow(coarse: number, to: number, pixels: number, channels: number): void;
}
