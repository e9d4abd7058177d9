import { ALIGNMENT } from '../../wasm/assembly/constants.ts';
import type { CoreExports } from './exports.ts';
import { createCore } from './instance.ts';
import { PAGE_BYTES } from './memory_pool.ts';

/** A size that the core states, queried at the first call. */
export function coreConstant(ask: (exports: CoreExports) => number): () => number {
  let known: number | undefined;
  return () => {
    if (known === undefined) {
      using core = createCore();
      known = ask(core.exports) >>> 0;
    }
    return known;
  };
}

/** The most answers that are cached. Caching pays because creating a core takes longer than the query. */
const MAX_CACHED = 64;

/** As `coreConstant`, for a size that depends on some numbers. */
export function coreSize<Numbers extends readonly number[]>(
  ask: (exports: CoreExports, ...numbers: Numbers) => number,
): (...numbers: Numbers) => number {
  const known = new Map<string, number>();
  return (...numbers) => {
    const key = numbers.join(' ');
    let size = known.get(key);
    if (size === undefined) {
      using core = createCore();
      size = ask(core.exports, ...numbers) >>> 0;
      if (known.size >= MAX_CACHED) known.clear();
      known.set(key, size);
    }
    return size;
  };
}

/** What the core's allocator takes for this many bytes: a multiple of ALIGNMENT. */
export const allocatedBytes = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** What the core's allocator takes for these sizes together, in addition to everything else in the core. */
export const scratchBytes = (sizes: readonly number[]): number =>
  sizes.reduce((total, size) => total + allocatedBytes(size), 0);

let newCore: { readonly used: number; readonly held: number } | undefined;

/**
 * What a new core holds after allocating these sizes: whole pages of linear memory, including its static
 * data. An exact prediction for codecs that allocate everything before they start.
 */
export function heldBytesFor(sizes: readonly number[]): number {
  if (!newCore) {
    using core = createCore();
    newCore = { used: core.exports.mark() >>> 0, held: core.heldBytes };
  }
  const used = newCore.used + scratchBytes(sizes);
  return Math.max(newCore.held, Math.ceil(used / PAGE_BYTES) * PAGE_BYTES);
}
