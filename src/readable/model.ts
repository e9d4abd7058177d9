/** What the network finds, in the order of its maps. */
export const mapKinds = ['text', 'plate'] as const;
export type MapKind = (typeof mapKinds)[number];

/** The contract of models/readable_detector.onnx (its card is beside it): all that the code knows of it. */
export const readingModel = {
  /** `cfg` that it was trained with. */
  shape: { channels: [16, 24, 48, 80, 112], blocks: [1, 2, 3, 2], neck: 32 },
  /** Pixels of the input for one of the maps. */
  stride: 4,
  /** Least probability of a pixel that counts: less for plates, which stand alone and run into nothing. */
  threshold: { text: 0.2, plate: 0.1 },
  /** Components of fewer pixels are none. */
  leastPixels: 2,
  /** Boxes of a shorter side, grown, are none; in pixels of the input. */
  leastSide: 6,
  /** And in the smallest view these, which other views show better. */
  leastSideOfLarge: 34,
  /**
   * The network paints things smaller by a fifth of their shorter side on each side. So a box is grown by
   * this share of its shorter side, and by as many pixels of the input.
   */
  grow: 1 / 3,
  margin: 1,
  /** Least mean probability of a box where the ops name none. */
  confidence: { text: 0.5, plate: 0.27 },
} as const;
