import type { Samples } from './conversion.ts';
import { createLcms, type Lcms } from './lcms_instance.ts';

/**
 * The most bytes that LittleCMS may hold. Its memory begins with 16 MB; a profile with its tables unpacked
 * and linked takes less than five times its own bytes, measured from 0.2 to 3 MB. A profile that needs more
 * is refused.
 */
export const heapBytes = (profileBytes: number): number => 18 * 1024 * 1024 + 5 * profileBytes;

/** Most pixels of one call. */
export const PIECE_PIXELS = 32_768;

const RELATIVE_COLORIMETRIC = 1;
/**
 * Black point compensation, for CMYK: black ink on paper reflects several per cent of the light, and without
 * compensation a photo on a display looks faded.
 */
const BLACK_POINT_COMPENSATION = 0x2000;
/** Pixel formats of lcms2.h: colour space, extra samples, colour samples, bytes a sample. */
const format = (space: number, extra: number, channels: number, bytes: number) =>
  (space << 16) | (extra << 7) | (channels << 3) | bytes;
const GREY = 3;
const RGB = 4;
const CMYK = 6;
const OUTPUT = format(RGB, 1, 3, 1);

function inputFormat(samples: Samples, bytes: number): number {
  if (samples === 'cmyk') return format(CMYK, 0, 4, bytes);
  // A grey pixel arrives as RGBA; only its first sample is read.
  return samples === 'grey' ? format(GREY, 3, 1, bytes) : format(RGB, 1, 3, bytes);
}

/** The conversion of one profile to sRGB in an instance of LittleCMS. */
export interface Transform {
  /**
   * Converts at most PIECE_PIXELS pixels of four samples to RGB; alpha is left as it was. The result is valid
   * until the next call.
   */
  convert(samples: Uint8Array | Uint16Array): Uint8Array;
}

/** The tables to the connection space, of which LittleCMS uses the first, and back, for black (lcms2.h). */
const A2B1 = 0x4132_4231;
const A2B0 = 0x4132_4230;
const B2A0 = 0x4232_4130;
/** From this length on, reading a profile's tables takes several milliseconds. */
const LONG_PROFILE = 256 * 1024;

/**
 * Opens a profile in LittleCMS; relative colorimetric. For long ones it yields between pieces of work that
 * take about a slice each: four megabytes in one piece took 50 to 70 ms.
 * @param bytes of a sample: 1 or 2
 * @returns undefined when LittleCMS can't use the profile
 */
export function* openingTransform(
  profile: Uint8Array,
  samples: Samples,
  bytes: 1 | 2,
): Generator<void, Transform | undefined> {
  try {
    // A new instance for each job: a hostile profile cannot affect another.
    const lcms = createLcms(heapBytes(profile.length));
    const at = lcms.malloc(profile.length);
    const input = lcms.malloc(PIECE_PIXELS * 4 * bytes);
    const output = lcms.malloc(PIECE_PIXELS * 4);
    if (!at || !input || !output) return undefined;
    new Uint8Array(lcms.memory.buffer).set(profile, at);
    const from = lcms.cmsOpenProfileFromMem(at, profile.length);
    // LittleCMS has made its own copy of the profile.
    lcms.free(at);
    const to = lcms.cmsCreate_sRGBProfile();
    if (!from || !to) return undefined;
    // LittleCMS keeps the tables that are read here for the transform.
    if (profile.length > LONG_PROFILE) {
      if (lcms.cmsReadTag(from, A2B1) || lcms.cmsReadTag(from, A2B0)) yield;
      if (samples === 'cmyk' && lcms.cmsReadTag(from, B2A0)) yield;
    }
    const inFormat = inputFormat(samples, bytes);
    const flags = samples === 'cmyk' ? BLACK_POINT_COMPENSATION : 0;
    const transform = lcms.cmsCreateTransform(from, inFormat, to, OUTPUT, RELATIVE_COLORIMETRIC, flags);
    return transform ? new HeapTransform(lcms, transform, input, output) : undefined;
  } catch {
    // LittleCMS traps on some broken profiles; the instance is dropped.
    return undefined;
  }
}

/** As `openingTransform`, in one piece. */
export function openTransform(...profile: Parameters<typeof openingTransform>): Transform | undefined {
  const opening = openingTransform(...profile);
  for (;;) {
    const { done, value } = opening.next();
    if (done) return value;
  }
}

class HeapTransform implements Transform {
  readonly #lcms: Lcms;
  readonly #transform: number;
  readonly #input: number;
  readonly #output: number;

  constructor(lcms: Lcms, transform: number, input: number, output: number) {
    this.#lcms = lcms;
    this.#transform = transform;
    this.#input = input;
    this.#output = output;
  }

  convert(samples: Uint8Array | Uint16Array): Uint8Array {
    const { memory, cmsDoTransform } = this.#lcms;
    const stored = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    new Uint8Array(memory.buffer).set(stored, this.#input);
    const pixels = samples.length >>> 2;
    cmsDoTransform(this.#transform, this.#input, this.#output, pixels);
    return new Uint8Array(memory.buffer, this.#output, pixels * 4);
  }
}
