import { coreAllocationOf, coreHolding } from '../core/instance.ts';

/**
 * Bytes of memory that these keep from others: their core's, when they lie in one, else all of their buffer.
 */
export function retainedBytes(bytes: Uint8Array): { readonly total: number; readonly outsideCores: number } {
  const core = coreHolding(bytes);
  return core
    ? { total: core.heldBytes, outsideCores: 0 }
    : { total: bytes.buffer.byteLength, outsideCores: bytes.buffer.byteLength };
}

/**
 * Gives the core back in whose memory these bytes lie: from then on they are empty. For others nothing
 * happens.
 */
export function releaseBytes(bytes: Uint8Array): void {
  // The view of a file that was read in place is empty once its core's memory has grown: only its residence
  // is known.
  (coreAllocationOf(bytes)?.core ?? coreHolding(bytes))?.[Symbol.dispose]();
}

/** Bytes that outlive their core: a copy where they lie in one, else the same. */
export function detachedCopy(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return coreHolding(bytes) ? bytes.slice() : bytes;
}
