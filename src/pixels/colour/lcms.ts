import type { Samples } from './conversion.ts';
import { createLcms, type Lcms, PixelSpace, pixelFormat, RELATIVE_COLORIMETRIC } from './lcms_instance.ts';
import { deviceLink, LINKS, POINT_BYTES, POINT_OUTPUT, pointInput } from './lcms_link.ts';

/**
 * The most bytes that LittleCMS may hold. Its memory begins with 16 MB; a profile with its tables unpacked
 * and linked takes less than five times its own bytes, measured from 0.2 to 3 MB. A profile that needs more
 * is refused.
 */
export const heapBytes = (profileBytes: number): number => 18 * 1024 * 1024 + 5 * profileBytes;

/** Most pixels of one call. */
export const PIECE_PIXELS = 32_768;

/**
 * Black point compensation, for CMYK: black ink on paper reflects several per cent of the light, and without
 * compensation a photo on a display looks faded.
 */
const BLACK_POINT_COMPENSATION = 0x2000;
/** Converts step by step instead of making a link. */
const NO_LINK = 0x0100;
const OUTPUT = pixelFormat(PixelSpace.rgb, 3, 1, 1);

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
 * Opens a profile in LittleCMS; relative colorimetric. It yields between pieces of work that take about a
 * slice each: a press profile in one piece took 50 to 70 ms.
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
    const from = opened(lcms, profile);
    const input = lcms.malloc(Math.max(PIECE_PIXELS * 4 * bytes, POINT_BYTES));
    const output = lcms.malloc(Math.max(PIECE_PIXELS * 4, POINT_BYTES));
    const to = lcms.cmsCreate_sRGBProfile();
    if (!from || !to || !input || !output) return undefined;
    // LittleCMS keeps the tables that are read here for the transform.
    if (profile.length > LONG_PROFILE) {
      if (lcms.cmsReadTag(from, A2B1) || lcms.cmsReadTag(from, A2B0)) yield;
      if (samples === 'cmyk' && lcms.cmsReadTag(from, B2A0)) yield;
    }
    const transform =
      samples === 'grey'
        ? greyTransform(lcms, from, to, bytes)
        : yield* linkedTransform(lcms, from, to, samples, bytes, [input, output]);
    return transform ? new HeapTransform(lcms, transform, input, output) : undefined;
  } catch {
    // LittleCMS traps on some broken profiles; the instance is dropped.
    return undefined;
  }
}

/** A profile in LittleCMS, which makes its own copy; 0 if it is none. */
function opened(lcms: Lcms, profile: Uint8Array): number {
  const at = lcms.malloc(profile.length);
  if (!at) return 0;
  new Uint8Array(lcms.memory.buffer).set(profile, at);
  const handle = lcms.cmsOpenProfileFromMem(at, profile.length);
  lcms.free(at);
  return handle;
}

/** The table of a grey profile is short. A grey pixel arrives as RGBA; only its first sample is read. */
const greyTransform = (lcms: Lcms, from: number, to: number, bytes: number): number =>
  lcms.cmsCreateTransform(
    from,
    pixelFormat(PixelSpace.grey, 1, bytes, 3),
    to,
    OUTPUT,
    RELATIVE_COLORIMETRIC,
    0,
  );

/** A transform by a link that is made in parts; 0 if LittleCMS can't use the profile. */
function* linkedTransform(
  lcms: Lcms,
  from: number,
  to: number,
  samples: 'rgb' | 'cmyk',
  bytes: number,
  [input, output]: readonly [number, number],
): Generator<void, number> {
  const linked = LINKS[samples];
  const flags = NO_LINK | (samples === 'cmyk' ? BLACK_POINT_COMPENSATION : 0);
  const points = pointInput(PixelSpace[samples], linked);
  const exact = lcms.cmsCreateTransform(from, points, to, POINT_OUTPUT, RELATIVE_COLORIMETRIC, flags);
  if (!exact) return 0;
  yield;
  const profile = yield* deviceLink(lcms, exact, linked, input, output);
  lcms.cmsDeleteTransform(exact);
  lcms.cmsCloseProfile(from);
  lcms.cmsCloseProfile(to);
  yield;
  const link = opened(lcms, profile);
  const format = pixelFormat(linked.pixelSpace, linked.channels, bytes, 4 - linked.channels);
  return link && lcms.cmsCreateTransform(link, format, 0, OUTPUT, RELATIVE_COLORIMETRIC, 0);
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
