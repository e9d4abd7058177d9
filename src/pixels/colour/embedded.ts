import type { ProfileLocation } from '../../codecs/types.ts';
import { InflateStream } from '../../core/inflate.ts';
import { createCore } from '../../core/instance.ts';
import { ProfileDefect } from './icc.ts';

/** Longest profile that is read: press profiles have one or two million bytes, others a few thousand. */
export const MAX_PROFILE_BYTES = 4 * 1024 * 1024;

/**
 * The profile that is embedded in a file; a view, not a copy, where it is stored in one piece.
 * @throws ProfileDefect when it is too long or its compressed data are broken
 */
export function embeddedProfile(file: Uint8Array, { pieces, encoding }: ProfileLocation): Uint8Array {
  const stored = pieces.map(({ start, end }) => file.subarray(start, end));
  const length = stored.reduce((sum, piece) => sum + piece.length, 0);
  if (length > MAX_PROFILE_BYTES) throw tooLong();
  if (encoding === 'zlib') return inflated(stored);
  if (stored.length === 1) return stored[0]!;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of stored) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Inflates as many bytes as the profile's header states, so that a decompression bomb is cut off. */
function inflated(pieces: readonly Uint8Array[]): Uint8Array {
  using core = createCore();
  const stream = new InflateStream(core, pieces, 'zlib');
  try {
    const head = new Uint8Array(4);
    if (stream.read(head) < 4) throw new ProfileDefect('has fewer than 4 bytes');
    const length = new DataView(head.buffer).getUint32(0);
    if (length > MAX_PROFILE_BYTES) throw tooLong();
    const whole = new Uint8Array(Math.max(4, length));
    whole.set(head);
    const got = stream.read(whole.subarray(4));
    return whole.subarray(0, 4 + got);
  } catch (error) {
    if (error instanceof ProfileDefect) throw error;
    throw new ProfileDefect('is compressed and its data are corrupt');
  } finally {
    stream.close();
  }
}

const tooLong = () => new ProfileDefect(`is longer than ${MAX_PROFILE_BYTES} bytes`);
