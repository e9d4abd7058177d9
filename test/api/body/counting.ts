import type { Allocate } from '../../../src/api/body/image_sink.ts';

/** An allocator that records all sizes it allocated, without regard to what is freed. */
export interface Counted {
  readonly allocate: Allocate;
  readonly bytes: () => number;
  readonly sizes: readonly number[];
}

export function counted(): Counted {
  const sizes: number[] = [];
  return {
    allocate: (size) => {
      sizes.push(size);
      return new Uint8Array(size);
    },
    bytes: () => sizes.reduce((sum, size) => sum + size, 0),
    sizes,
  };
}
