/** Bytes that a part of a job holds at its peak, by where they lie. */
export interface MemoryCost {
  /** In memories of cores and in codecs' heaps, which wait in the pool to be used again. */
  readonly inCores: number;
  /** In array buffers, which are collected late. */
  readonly elsewhere: number;
}

export const NO_MEMORY: MemoryCost = { inCores: 0, elsewhere: 0 };

export const totalBytes = ({ inCores, elsewhere }: MemoryCost): number => inCores + elsewhere;
