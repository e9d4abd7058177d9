/** Why decoding stopped. The numbers are shared with src/core/webp_lossy_faults.ts, which has the sentences. */
export const enum Vp8Fault {
  None = 0,
  OutOfMemory = 1,
  HeaderCut = 2,
  NoStartCode = 3,
  NotKeyFrame = 4,
  Version = 5,
  NotShown = 6,
  NoPixels = 7,
  FirstPartitionCut = 8,
  TokenPartitionsCut = 9,
  HeaderEnded = 10,
  ModesEnded = 11,
  TokensEnded = 12,
}
