import { createCore } from '../../core/instance.ts';
import { limitFault } from '../../faults.ts';
import { bytesOf } from '../../memory/owned_bytes.ts';
import type { FileFacts } from '../../metadata/facts.ts';
import type { Decoder } from '../types.ts';
import { deepStripBytes, type PngShape, readingBytes } from './cost.ts';
import { promises } from './expansion.ts';
import { ColourType, readHeader } from './header.ts';
import { readDeepStrips, readStrips } from './rows.ts';

/**
 * The most memory one reading may take: rows of some 20 million pixels. Wider images do not exist outside
 * attacks.
 */
const MAX_READING_BYTES = 512 * 1024 * 1024;

/** The colour type that has so many samples (ISO/IEC 15948 table 11.1). */
const BY_CHANNELS = [ColourType.grey, ColourType.grey, ColourType.greyAlpha, ColourType.rgb, ColourType.rgba];

function shapeOf(facts: FileFacts): PngShape {
  const colourType =
    facts.colour === 'palette' ? ColourType.palette : (BY_CHANNELS[facts.channels] ?? ColourType.rgba);
  return {
    width: facts.width,
    height: facts.height,
    depth: facts.bitDepth,
    colourType,
    interlaced: facts.progressive,
  };
}

/**
 * Reads PNG (ISO/IEC 15948): every colour type, bit depth, tRNS and interlacing, row by row. Samples of 16
 * bits keep their high byte, where the colour step does not read them whole. Of an animated PNG, the default
 * image. Always full size.
 */
export const pngDecoder: Decoder = {
  format: 'png',

  cost: (facts, { preferHighBitDepth }) => ({
    inCores: readingBytes(shapeOf(facts)),
    elsewhere: preferHighBitDepth && facts.bitDepth === 16 ? deepStripBytes(facts) : 0,
  }),

  async open(file, _facts, { reserveBytes = 0 }) {
    const bytes = bytesOf(file);
    const header = readHeader(bytes);
    const { width, height } = header;
    if (readingBytes(header) > MAX_READING_BYTES) {
      throw limitFault(`The PNG's rows of ${width} pixels are too wide to be read`);
    }
    const core = createCore(readingBytes(header) + reserveBytes);
    let reading: Disposable | undefined;
    // A reading that was left without being ended ends with the next.
    const begin = () => {
      reading?.[Symbol.dispose]();
      reading = core.region();
      return reading;
    };
    return {
      width,
      height,
      ...promises(header),
      core,
      *strips() {
        using _reading = begin();
        yield* readStrips(core, bytes, header);
      },
      ...(header.depth === 16 && {
        *strips16() {
          using _reading = begin();
          yield* readDeepStrips(core, bytes, header);
        },
      }),
      [Symbol.dispose]() {
        core[Symbol.dispose]();
      },
    };
  },
};
