import { createCore } from '../instance.ts';
import { InflateStream, inflateStreamBytes } from './inflate.ts';

const FIRST_BYTES = 1024;

/**
 * Inflates a zlib stream (RFC 1950) as far as possible: up to `most` bytes, or to where it breaks off or
 * turns out corrupt. Empty if it is no zlib stream. Meant for inspecting untrusted data: does not check the
 * checksum. Works in a core of its own of about 0.3 MB, given back at once.
 * @throws Fault 'limit' when there is no memory for it
 */
export function inflatePrefix(packed: Uint8Array, most: number): Uint8Array {
  using core = createCore(inflateStreamBytes());
  const stream = new InflateStream(core, [packed], 'zlib');
  let bytes = new Uint8Array(Math.min(FIRST_BYTES, most));
  let filled = stream.readSound(bytes);
  while (filled === bytes.length && filled < most) {
    const larger = new Uint8Array(Math.min(bytes.length * 2, most));
    larger.set(bytes);
    bytes = larger;
    filled += stream.readSound(bytes.subarray(filled));
  }
  return bytes.subarray(0, filled);
}
