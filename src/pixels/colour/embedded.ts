import type { ProfileLocation } from '../../codecs/types.ts';
import { InflateStream } from '../../core/deflate/inflate.ts';
import { createCore } from '../../core/instance.ts';
import { ProfileDefect } from './icc.ts';
import { MAX_PROFILE_BYTES, storedPieces, storedProfile, tooLong } from './stored_profile.ts';

/**
 * The profile that is embedded in a file.
 * @throws ProfileDefect when it is too long or its compressed data are broken
 */
export const embeddedProfile = (file: Uint8Array, location: ProfileLocation): Uint8Array =>
  location.encoding === 'zlib' ? inflated(storedPieces(file, location)) : storedProfile(file, location);

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
