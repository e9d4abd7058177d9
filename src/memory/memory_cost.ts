/** Bytes that a part of a job holds at its peak, by place. */
export interface MemoryCost {
  /** In cores' memories and codecs' heaps, which return to the pool for the next job. */
  readonly inCores: number;
  /** In array buffers, which the garbage collector frees late. */
  readonly elsewhere: number;
}

export const NO_MEMORY: MemoryCost = { inCores: 0, elsewhere: 0 };

export const totalBytes = ({ inCores, elsewhere }: MemoryCost): number => inCores + elsewhere;
