import {
  COLOUR_CMYK,
  COLOUR_GREY,
  COLOUR_INVERTED_CMYK,
  COLOUR_INVERTED_YCCK,
  COLOUR_RGB,
  COLOUR_YCBCR,
  MAX_COMPONENTS,
  MAX_SCANS,
  ROW_UNFINISHED,
  SPACE_BY_MARKERS,
  SPACE_RGB,
  SPACE_YCBCR,
} from '../../../wasm/assembly/jpeg/decode/constants.ts';
import { OUT_OF_MEMORY } from '../../../wasm/assembly/jpeg/decode/faults.ts';
import type { Work } from '../../scheduling/work.ts';
import type { CoreExports } from '../exports.ts';
import { Guarded } from '../guarded.ts';
import type { Core, CoreRows } from '../instance.ts';
import { coreSize } from '../sizes.ts';
import { jpegFault } from './faults.ts';

export { MAX_SCANS };

/**
 * What three components mean: what the markers say (`auto`), or what the container around the file says
 * (TIFF's photometric).
 */
export type JpegColour = 'auto' | 'ycbcr' | 'rgb';

/** The eighths of its size that a file is shrunk to. */
export type JpegEighths = 8 | 5 | 4 | 3 | 2 | 1;

/** Averaging is only possible by halves, so these scales keep the lowest frequencies. */
const keepsOnlyLow = (eighths: JpegEighths) => eighths === 5 || eighths === 3;

/** One component's samples of an MCU row, inside the core; not yet upsampled, not yet converted. */
interface JpegPlane {
  /** Address of the first sample, and bytes from row to row. */
  readonly at: number;
  readonly stride: number;
  /** How many rows of the MCU row lie in the picture. */
  readonly rows: number;
}

/** A component of the picture. Sizes are in its own samples. */
export interface JpegComponent {
  readonly width: number;
  readonly height: number;
  /** How many of these the picture shows, as fractions: less than one fewer in both directions. */
  readonly shown: { readonly width: number; readonly height: number };
}

const COLOURS: Readonly<Record<number, JpegFile['colour']>> = {
  [COLOUR_GREY]: 'grey',
  [COLOUR_RGB]: 'rgb',
  [COLOUR_YCBCR]: 'ycbcr',
  [COLOUR_CMYK]: 'cmyk',
  [COLOUR_INVERTED_CMYK]: 'cmyk',
  [COLOUR_INVERTED_YCCK]: 'cmyk',
};

const SPACES: Readonly<Record<JpegColour, number>> = {
  auto: SPACE_BY_MARKERS,
  ycbcr: SPACE_YCBCR,
  rgb: SPACE_RGB,
};

/** The largest sampling factors, across and down, which those of all components are compared with. */
const mostSampled = (sampling: JpegFile['sampling']) =>
  [0, 1].map((way) => Math.max(...sampling.map((factors) => factors[way]!))) as [number, number];

/** What the memory of a `JpegFile` depends on. */
export interface JpegMemoryFacts {
  /** As stored, 1 to 65535. */
  readonly width: number;
  readonly height: number;
  /** Sampling factors of each component, 1 to 4 each. */
  readonly sampling: readonly (readonly [horizontal: number, vertical: number])[];
  /** All components are in one sequential scan. */
  readonly singleScan: boolean;
  /** The number of scans. */
  readonly scans: number;
  readonly eighths: JpegEighths;
  /** As in `JpegFile.reserve`. */
  readonly checkpoints: boolean;
  readonly keepsLow?: boolean;
  readonly componentsOnly?: boolean;
}

const decoderBytes = coreSize((exports, ...facts: Parameters<CoreExports['jpegDecodeBytes']>) =>
  exports.jpegDecodeBytes(...facts),
);

/**
 * Bytes that a `JpegFile` holds in the core, however often it is read, without the file itself. Exact except
 * for Huffman tables and the checkpoints of several scans, of which it counts the largest possible number.
 */
export function jpegDecodeBytes(facts: JpegMemoryFacts): number {
  const {
    width,
    height,
    sampling,
    singleScan,
    scans,
    eighths,
    checkpoints,
    keepsLow = keepsOnlyLow(eighths),
    componentsOnly = false,
  } = facts;
  const packed = sampling
    .slice(0, MAX_COMPONENTS)
    .reduce((sum, [horizontal, vertical], i) => sum + (((horizontal << 4) | vertical) << (8 * i)), 0);
  const flags = [keepsLow, componentsOnly, checkpoints].map(Number) as [number, number, number];
  return decoderBytes(width, height, packed, Number(singleScan), scans, eighths, ...flags);
}

/** The work of walking over as many markers as the core does at once, in pixels of opening a file. */
const WALKING_WORK: Work = 150_000;

/**
 * A byte of entropy-coded data takes about as long as everything else for a pixel. Up to this many bytes per
 * pixel are covered by the pixel's own time. Files of the best quality have more, and a single row may have
 * nearly all bytes.
 */
const BYTES_OF_PIXEL = 0.5;
const BYTE_WORK: Work = 0.75;
/** The same for a byte if stored pixels are shrunk, which takes less time for each pixel. */
const SHRUNK_BYTE_WORK: Work = 2;

/**
 * A JPEG file inside a core. Its headers are read and checked; its rows are decoded on demand, any number of
 * times.
 */
export class JpegFile {
  /** The core that the file lies in. */
  readonly core: Core;
  readonly #guard: Guarded;
  readonly #decoder: number;
  #notesCheckpoints = false;
  #isIndexed = false;
  /** As stored. */
  readonly width: number;
  readonly height: number;
  /** 1 grey, 3 colour, 4 with black. */
  readonly components: number;
  readonly colour: 'grey' | 'rgb' | 'ycbcr' | 'cmyk';

  /**
   * Reads the headers of a file. Yields work on the way, as the file may consist of nothing but markers.
   * @param at where the file's `length` bytes lie in the core
   * @throws Fault 'decoding' | 'unsupported' | 'limit' if headers are wrong, not supported, or ask for too
   * much
   */
  static *opening(
    core: Core,
    at: number,
    length: number,
    colour: JpegColour = 'auto',
  ): Generator<Work, JpegFile, void> {
    const guard = new Guarded(core, 'JPEG file', 'JPEG');
    const decoder = guard.run(() => core.exports.jpegDecodeOpen(at, length, SPACES[colour]) >>> 0);
    if (decoder === 0) throw guard.drop(jpegFault(OUT_OF_MEMORY, 0, 0, 0));
    while (guard.run(() => core.exports.jpegDecodeWalk(decoder)) !== 0) yield WALKING_WORK;
    return new JpegFile(guard, decoder);
  }

  private constructor(guard: Guarded, decoder: number) {
    this.core = guard.core;
    this.#guard = guard;
    this.#decoder = decoder;
    const { exports } = guard.core;
    this.width = exports.jpegDecodeWidth(decoder);
    this.height = exports.jpegDecodeHeight(decoder);
    this.components = exports.jpegDecodeComponents(decoder);
    this.colour = COLOURS[exports.jpegDecodeColour(decoder)]!;
    this.#throwFault();
  }

  /** A read has noted where bands of columns or rows begin in the data: later reads skip little. */
  get isIndexed(): boolean {
    return this.#isIndexed;
  }

  /** Width at the reserved scale. */
  get outputWidth(): number {
    return this.core.exports.jpegDecodeOutputWidth(this.#decoder);
  }

  /** Horizontal and vertical sampling factors, a pair for each component. */
  get sampling(): readonly (readonly [horizontal: number, vertical: number])[] {
    return Array.from({ length: this.components }, (_, index) => {
      const factors = this.core.exports.jpegDecodeSampling(this.#decoder, index);
      return [factors >> 4, factors & 15];
    });
  }

  /**
   * Reserves everything that reading at this scale needs. Call it once, before the first `rows`.
   * @param checkpoints notes where bands of columns or rows begin in the data, so that only the first band is
   * searched for
   * @param keepsLow a shrunk picture keeps the lowest frequencies of its blocks, instead of averages of their
   * samples: only resizing gains by it. 5 and 3 eighths exist only so
   * @param componentsOnly components are resized separately: frequencies that are high across and down at
   * once are left out
   * @returns the size at that scale
   * @throws Fault 'limit' when the core cannot grow that far
   */
  reserve(
    eighths: JpegEighths,
    checkpoints = false,
    keepsLow = keepsOnlyLow(eighths),
    componentsOnly = false,
  ): { width: number; height: number } {
    const { exports } = this.core;
    this.#notesCheckpoints = checkpoints;
    const [low, own, noted] = [keepsLow, componentsOnly, checkpoints].map(Number) as [number, number, number];
    if (!this.#guard.run(() => exports.jpegDecodeReserve(this.#decoder, eighths, low, own, noted))) {
      throw this.#guard.drop(jpegFault(OUT_OF_MEMORY, 0, 0, 0));
    }
    return {
      width: exports.jpegDecodeOutputWidth(this.#decoder),
      height: exports.jpegDecodeOutputHeight(this.#decoder),
    };
  }

  /**
   * Decodes the columns [x, x + width) from the top, or from a known row at or before `from`. With
   * checkpoints such a row is known once the file was read to its end. Starting a read ends the one before
   * it. Yields work if more was done than the pixels stand for.
   * @param cmyk gives cyan, magenta, yellow, black, 0 none to 255 full, instead of RGBA; only for four
   * components
   * @throws Fault 'decoding' naming the row reached; afterwards the file can't be read any more
   */
  *rows(x: number, width: number, cmyk = false, from = 0): Generator<CoreRows | Work, void, void> {
    const { exports } = this.core;
    const decoder = this.#decoder;
    const start = () => {
      exports.jpegDecodeKeepCmyk(decoder, cmyk ? 1 : 0);
      exports.jpegDecodeStart(decoder, x, width);
      if (from > 0) exports.jpegDecodeSkipTo(decoder, from);
    };
    const stored = this.height / exports.jpegDecodeOutputHeight(decoder);
    // A pixel of a shrunk picture counts as all the stored pixels that it stands for.
    const byteWork = stored > 1 ? SHRUNK_BYTE_WORK / stored ** 2 : BYTE_WORK;
    const next = () => exports.jpegDecodeNext(decoder);
    for (const { rows, work } of this.#decoded(start, next, stored, byteWork)) {
      if (rows > 0) {
        const pixels = this.core.view(exports.jpegDecodeStrip(decoder) >>> 0, rows * width * 4);
        yield { y: exports.jpegDecodeStripY(decoder), rows, pixels };
      }
      if (work > 0) yield work;
    }
    this.#isIndexed = this.#notesCheckpoints;
  }

  /** Components at the reserved scale, in the order of `planes`. */
  get planeSizes(): readonly JpegComponent[] {
    const { sampling, core } = this;
    const [across, down] = mostSampled(sampling);
    return sampling.map(([horizontal, vertical], index) => {
      const side = core.exports.jpegDecodeBlockSize(this.#decoder, index) / 8;
      const shown = {
        width: (this.width * horizontal * side) / across,
        height: (this.height * vertical * side) / down,
      };
      return { width: Math.ceil(shown.width), height: Math.ceil(shown.height), shown };
    });
  }

  /**
   * Reads planes instead of pixels, one MCU row at a time. Only at full size do all components keep their
   * sampling. What the samples mean is `colour`.
   * @throws as `rows`
   */
  *planes(): Generator<readonly JpegPlane[] | Work, void, void> {
    const { exports } = this.core;
    const decoder = this.#decoder;
    const start = () => exports.jpegDecodeStart(decoder, 0, exports.jpegDecodeOutputWidth(decoder));
    const sizes = this.planeSizes;
    const rowsOf = this.sampling.map(
      ([, vertical], index) => vertical * exports.jpegDecodeBlockSize(decoder, index),
    );
    const shrunk = this.height / exports.jpegDecodeOutputHeight(decoder);
    const byteWork = shrunk > 1 ? SHRUNK_BYTE_WORK / shrunk ** 2 : BYTE_WORK;
    const next = () => exports.jpegDecodeRow(decoder);
    let done = 0;
    for (const { rows, work } of this.#decoded(start, next, 8 * mostSampled(this.sampling)[1], byteWork)) {
      if (work > 0) yield work;
      if (rows === 0) continue;
      yield sizes.map(({ height }, index) => ({
        at: exports.jpegDecodePlane(decoder, index) >>> 0,
        stride: exports.jpegDecodePlaneStride(decoder, index),
        rows: Math.min(rowsOf[index]!, height - done * rowsOf[index]!),
      }));
      done++;
    }
  }

  /**
   * Begins a read and calls `next` until the end.
   * @param stored image rows for each row that `next` reports
   * @param byteWork the work of a byte beyond those that the pixels cover
   * @returns how many rows `next` reported, 0 if it stopped within them; and the work of their data beyond
   * that of their pixels
   */
  *#decoded(
    start: () => void,
    next: () => number,
    stored: number,
    byteWork: Work,
  ): Generator<{ rows: number; work: Work }> {
    const { exports } = this.core;
    const run = this.#guard.reading();
    run(start);
    let taken = exports.jpegDecodeTaken(this.#decoder);
    for (;;) {
      const rows = run(next);
      if (rows === 0) return;
      if (rows < 0) this.#throwFault();
      const done = rows === ROW_UNFINISHED ? 0 : rows;
      const before = taken;
      taken = exports.jpegDecodeTaken(this.#decoder);
      const covered = done * stored * this.width * BYTES_OF_PIXEL;
      yield { rows: done, work: Math.max(0, taken - before - covered) * byteWork };
    }
  }

  #throwFault(): void {
    const { exports } = this.core;
    const code = exports.jpegDecodeFault(this.#decoder);
    if (code === 0) return;
    const detail = exports.jpegDecodeFaultDetail(this.#decoder);
    throw this.#guard.drop(jpegFault(code, detail, exports.jpegDecodeRowReached(this.#decoder), this.height));
  }
}
