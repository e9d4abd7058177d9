/** What the network finds, in the order of its maps. */
export const mapKinds = ['text', 'plate'] as const;
export type MapKind = (typeof mapKinds)[number];

/**
 * Everything the code knows about models/readable_detector.onnx, which is described by its card next to it.
 */
export const readingModel = {
  /** The `cfg` it was trained with. */
  shape: { channels: [16, 24, 48, 80, 112], blocks: [1, 2, 3, 2], neck: 32 },
  /** Pixels of the input per pixel of the maps. */
  stride: 4,
  /**
   * Least probability of a pixel that counts; lower for plates, which are isolated and do not merge with
   * anything.
   */
  threshold: { text: 0.2, plate: 0.1 },
  /** Components with fewer pixels are ignored. */
  leastPixels: 2,
  /** Grown boxes with a shorter side below this are ignored; in pixels of the input. */
  leastSide: 6,
  /** The same for the smallest view; other views show such boxes better. */
  leastSideOfLarge: 34,
  /**
   * The network marks things smaller than they are, by a fifth of their shorter side on each side. So a box
   * is grown by this share (`grow`) of its shorter side, and by this many pixels of the input (`margin`).
   */
  grow: 1 / 3,
  margin: 1,
  /** Least mean probability of a box if the ops state none. */
  confidence: { text: 0.5, plate: 0.27 },
} as const;
