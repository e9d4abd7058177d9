import { coreHolding, residenceOf } from '../../wasm/core.ts';

/**
 * Bytes that outlive the image core. What lies in a core's memory is copied and that memory given back, so that the next job
 * can have it; all other bytes are returned as they are.
 */
export function ownBytes(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const core = coreHolding(bytes);
  if (!core) return bytes;
  const copy = bytes.slice();
  core[Symbol.dispose]();
  return copy;
}

/** Gives back the core in which a file was put by `allocResident`; from then on `bytes` is empty. For others nothing happens. */
export function giveBackFile(bytes: Uint8Array): void {
  residenceOf(bytes)?.core[Symbol.dispose]();
}
