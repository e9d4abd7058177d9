import { instantiate, type Lcms } from 'lcms-wasm';
import module from 'lcms-wasm/dist/lcms.wasm';
import type { Samples } from './conversion.ts';

/** LittleCMS' heap, measured: 16 MB at first, 2 to 4 more with the tables of a press profile and its device link. */
export const HEAP_BYTES = 24 * 1024 * 1024;
/** A profile that makes it grow beyond was not made to show pictures. */
const MOST_HEAP_BYTES = HEAP_BYTES;

/** Pixels of one call. */
export const PIECE_PIXELS = 32_768;

const RELATIVE_COLORIMETRIC = 1;
/** Pixel formats of lcms2.h: colour space, extra samples, colour samples, bytes a sample. */
const format = (space: number, extra: number, channels: number, bytes: number) =>
  (space << 16) | (extra << 7) | (channels << 3) | bytes;
const GREY = 3;
const RGB = 4;
const CMYK = 6;
const OUTPUT = format(RGB, 1, 3, 1);

function inputFormat(samples: Samples, bytes: number): number {
  if (samples === 'cmyk') return format(CMYK, 0, 4, bytes);
  // A grey pixel comes as RGBA, its first sample is read.
  return samples === 'grey' ? format(GREY, 3, 1, bytes) : format(RGB, 1, 3, bytes);
}

/** One profile's way to sRGB inside an instance of LittleCMS. */
export interface Transform {
  /** Four samples a pixel, at most PIECE_PIXELS of them, to RGB; alpha is left as it was. Valid until the next call. */
  convert(samples: Uint8Array | Uint16Array): Uint8Array;
}

/**
 * Relative colorimetric, no black point compensation.
 * @param bytes of a sample: 1 or 2
 * @returns undefined when LittleCMS can't use the profile
 */
export async function openTransform(
  profile: Uint8Array,
  samples: Samples,
  bytes: 1 | 2,
): Promise<Transform | undefined> {
  try {
    const lcms = await openLcms();
    const at = lcms._malloc(profile.length);
    const input = lcms._malloc(PIECE_PIXELS * 4 * bytes);
    const output = lcms._malloc(PIECE_PIXELS * 4);
    if (!at || !input || !output) return undefined;
    lcms.HEAPU8.set(profile, at);
    const from = lcms._cmsOpenProfileFromMem(at, profile.length);
    const to = lcms._cmsCreate_sRGBProfile();
    if (!from || !to) return undefined;
    const transform = lcms._cmsCreateTransform(
      from,
      inputFormat(samples, bytes),
      to,
      OUTPUT,
      RELATIVE_COLORIMETRIC,
      0,
    );
    if (!transform || lcms.HEAPU8.length > MOST_HEAP_BYTES) return undefined;
    return new HeapTransform(lcms, transform, input, output);
  } catch {
    // It traps or gives up on a profile that it should have refused; the instance goes.
    return undefined;
  }
}

const ignore = () => {};

/** An instance of its own: nothing that a profile does to it outlives the job. */
function openLcms(): Promise<Lcms> {
  return instantiate({
    print: ignore,
    printErr: ignore,
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance);
      return instance.exports;
    },
  });
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
    const { HEAPU8: heap } = this.#lcms;
    const stored = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    heap.set(stored, this.#input);
    const pixels = samples.length >>> 2;
    this.#lcms._cmsDoTransform(this.#transform, this.#input, this.#output, pixels);
    return this.#lcms.HEAPU8.subarray(this.#output, this.#output + pixels * 4);
  }
}
