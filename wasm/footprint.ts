import { createCore } from './core.ts';
import { PAGE_BYTES } from './memories.ts';

let fresh: { readonly used: number; readonly held: number } | undefined;

/**
 * What a new core holds after allocating these sizes: whole pages of linear memory, its own static data included. An
 * exact prediction for codecs that allocate everything before they start.
 */
export function heldBytesFor(sizes: readonly number[]): number {
  if (!fresh) {
    using core = createCore();
    fresh = { used: core.exports.mark() >>> 0, held: core.heldBytes };
  }
  const used = sizes.reduce((total, size) => total + Math.ceil(size / 16) * 16, fresh.used);
  return Math.max(fresh.held, Math.ceil(used / PAGE_BYTES) * PAGE_BYTES);
}
