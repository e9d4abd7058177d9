/**
 * Why a VP8L or ALPH stream was refused. The numbers are shared with src/core/webp_lossless_faults.ts, which
 * holds the sentences for the sender.
 */
export const enum LosslessFault {
  None = 0,
  OutOfMemory = 1,
  BadSignature = 2,
  BadVersion = 3,
  RepeatedTransform = 4,
  BadCacheSize = 5,
  BadCode = 6,
  Truncated = 7,
  BadReference = 8,
  TooMuchMemory = 9,
  TooManyCodes = 10,
  BadAlphaHeader = 11,
}
