import type { ProfileLocation } from '../../codecs/types.ts';
import { ProfileDefect } from './icc.ts';

/**
 * The longest profile that is read, in bytes: press profiles have one or two million, others a few thousand.
 */
export const MAX_PROFILE_BYTES = 4 * 1024 * 1024;

/**
 * The pieces of a profile as they lie in the file: views, not copies.
 * @throws ProfileDefect when too long, or when there are none
 */
export function storedPieces(file: Uint8Array, { pieces }: ProfileLocation): readonly Uint8Array[] {
  if (pieces.length === 0) throw new ProfileDefect('lacks segments, or they contradict each other');
  const stored = pieces.map(({ start, end }) => file.subarray(start, end));
  if (stored.reduce((sum, piece) => sum + piece.length, 0) > MAX_PROFILE_BYTES) throw tooLong();
  return stored;
}

/**
 * A profile that is not compressed; a view, not a copy, if it is stored in one piece.
 * @throws ProfileDefect when it is too long
 */
export function storedProfile(file: Uint8Array, location: ProfileLocation): Uint8Array {
  const stored = storedPieces(file, location);
  if (stored.length === 1) return stored[0]!;
  const whole = new Uint8Array(stored.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of stored) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export const tooLong = () => new ProfileDefect(`is longer than ${MAX_PROFILE_BYTES} bytes`);
