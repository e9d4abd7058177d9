import { createCore } from '../../core/instance.ts';
import { limitFault } from '../../faults.ts';
import { bytesOf } from '../../memory/image_file.ts';
import type { FileFacts } from '../../metadata/facts.ts';
import { inTurns, uninterrupted } from '../../scheduling/time_slice.ts';
import { MAX_ROW_PIXELS } from '../../scheduling/work.ts';
import type { Decoder } from '../types.ts';
import { decodeBytes, type PngShape, strip16Bytes } from './cost.ts';
import { pixelTraits } from './expansion.ts';
import { ColourType, readingHeader } from './header.ts';
import { readStrips, readStrips16 } from './rows.ts';

/** The colour type by samples per pixel (ISO/IEC 15948 table 11.1). */
const COLOUR_TYPE_BY_CHANNELS = [
  ColourType.grey,
  ColourType.grey,
  ColourType.greyAlpha,
  ColourType.rgb,
  ColourType.rgba,
];

function shapeOf(facts: FileFacts): PngShape {
  const colourType =
    facts.colour === 'palette'
      ? ColourType.palette
      : (COLOUR_TYPE_BY_CHANNELS[facts.channels] ?? ColourType.rgba);
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
 * bits keep only their high byte, unless the colour step reads `strips16`. An animated PNG gives its default
 * image. Always full size.
 */
export const pngDecoder: Decoder = {
  format: 'png',
  reading: {
    pixelTime: 25,
    times: ({ progressive, bitDepth }) =>
      progressive || bitDepth === 16 ? undefined : { pixel: 8, byte: 4 },
    denseFrom: 1,
    steady: true,
    pixelWork: () => 1,
    lossless: true,
    surelyOpaque: ({ hasAlpha }) => !hasAlpha,
  },

  cost: (facts, { preferHighBitDepth }) => ({
    inCores: decodeBytes(shapeOf(facts)),
    elsewhere: preferHighBitDepth && facts.bitDepth === 16 ? strip16Bytes(facts) : 0,
  }),

  async open(file, { complete }, { reserveBytes = 0 }, slice = uninterrupted) {
    const bytes = bytesOf(file);
    const header = await inTurns(readingHeader(bytes, complete), slice);
    const { width, height } = header;
    if (width > MAX_ROW_PIXELS) {
      throw limitFault(`Expected rows of at most ${MAX_ROW_PIXELS} pixels but the PNG's have ${width}`);
    }
    const core = createCore(decodeBytes(header) + reserveBytes);
    let region: Disposable | undefined;
    // The memory of a read that was abandoned is freed when the next begins.
    const begin = () => {
      region?.[Symbol.dispose]();
      region = core.region();
      return region;
    };
    return {
      width,
      height,
      ...pixelTraits(header),
      core,
      *strips() {
        using _region = begin();
        yield* readStrips(core, bytes, header);
      },
      ...(header.depth === 16 && {
        *strips16() {
          using _region = begin();
          yield* readStrips16(core, bytes, header);
        },
      }),
      [Symbol.dispose]() {
        core[Symbol.dispose]();
      },
    };
  },
};
