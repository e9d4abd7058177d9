/**
 * Why decoding stopped. The numbers are shared with ../../../jpeg_decode.ts, which holds the sentences for
 * the sender.
 */
export const enum JpegFault {
  None = 0,
  OutOfMemory = 1,
  NoSoi = 2,
  SegmentOverrun = 3,
  UnknownMarker = 4,
  BadFrame = 5,
  BadScan = 6,
  BadHuffmanTable = 7,
  BadQuantTable = 8,
  MissingQuantTable = 9,
  NoScan = 10,
  MissingComponent = 11,
  MissingLines = 12,
  BadProgression = 13,
  TooManyScans = 14,
  Arithmetic = 15,
  Lossless = 16,
  Hierarchical = 17,
  Precision = 18,
  ComponentCount = 19,
  EntropyEnded = 20,
  EntropyCode = 21,
  EntropyLeftOver = 22,
  RestartMissing = 23,
  MissingEoi = 24,
  BadDri = 25,
}
