import { Scratch } from '../../core/scratch.ts';
import { heldBytesFor } from '../../core/sizes.ts';
import { OutputBuffer, outputBufferBytes } from '../../memory/output_buffer.ts';
import { pacedStrips } from '../../strips.ts';
import { inTurns, type TimeSlice, uninterrupted } from '../../time_slice.ts';
import type { Work } from '../../work.ts';
import type { Encoder, Raster, Size } from '../types.ts';
import { deflaterBytes, openDeflater } from './deflate.ts';
import { channelsByTraits, fitsChannels, type Layout, neededChannels } from './layout.ts';
import { estimatedLength, PHOTOGRAPH_BYTES_PER_PIXEL } from './length_estimate.ts';
import { isPaletteWorthIt, unindexedRows } from './palette.ts';
import { blockBytes, RowBlock, unindexingBytes } from './row_block.ts';
import { FIRST_METHOD, Trial } from './trial.ts';
import { WrittenFile } from './written_file.ts';

/** Methods are tried on the first blocks, then on one in so many: content seldom changes its nature. */
const TRIED_FIRST = 2;
const TRIED_EVERY = 4;

/** One for the output, one for trials. */
const DEFLATERS = 2;

/**
 * A block of rows in the layout that takes most: the layout may change between two rows, when nothing may be
 * reserved.
 */
const anyBlockBytes = (size: Size) =>
  Math.max(...(['indexed', 1, 2, 3, 4] as const).map((layout) => blockBytes(size, layout)));

const predictedLength = (pixels: number) => pixels * PHOTOGRAPH_BYTES_PER_PIXEL;

/**
 * Writes PNG (ISO/IEC 15948) at 8 bits, row by row, with no chunk but IHDR, PLTE, tRNS, IDAT and IEND. Pixels
 * of 256 colours or fewer become indices into a palette of just these; others are grey, grey and alpha, RGB
 * or RGBA by the raster's traits, or fewer channels where its rows so far need no more. Filters and deflate
 * effort follow the content, by trials on some of its rows.
 *
 * The source is read once, and again only where the 257th colour comes after rows were written, and once more
 * where alpha comes later still. The output lies in the memory of a core until it is disposed of
 * (owned_bytes.ts).
 */
export const pngEncoder: Encoder = {
  format: 'png',
  mediaType: 'image/png',
  extension: 'png',
  // It starts over where a palette turns out not to hold its colours, and again where alpha comes later.
  reads: 3,
  pixelTime: 45,
  lengthOf: estimatedLength,

  cost: (size, _quality, outputBytes) => ({
    inCores:
      heldBytesFor([anyBlockBytes(size)]) +
      deflaterBytes() * DEFLATERS +
      outputBufferBytes(outputBytes ?? predictedLength(size.width * size.height)),
    elsewhere: unindexingBytes(size.width, size.height),
  }),

  async encode(source, _quality, maxOutputBytes, raiseLimit, slice = uninterrupted) {
    // One buffer for all layouts: a later layout reuses what an earlier one has allocated.
    const expected = Math.min(maxOutputBytes, predictedLength(source.width * source.height));
    const output = new OutputBuffer('PNG', maxOutputBytes, raiseLimit, expected);
    const maxChannels = channelsByTraits(source);
    let layout: Layout | 'done' = maxChannels > 1 ? 'indexed' : maxChannels;
    try {
      // Each layout holds more than the one before: indices, channels needed so far, channels of the traits.
      while (layout !== 'done') layout = await writeLayout(source, output, layout, slice);
      return output;
    } catch (error) {
      output[Symbol.dispose]();
      throw error;
    }
  },
};

/**
 * Writes the whole file in one layout.
 * @returns 'done', or the layout to start over with, where rows were written before this one failed
 */
async function writeLayout(
  source: Raster,
  output: OutputBuffer,
  layout: Layout,
  slice: TimeSlice,
): Promise<Layout | 'done'> {
  const { width, height } = source;
  const maxChannels = channelsByTraits(source);
  let isIndexed = layout === 'indexed';
  let channels = layout === 'indexed' ? maxChannels : layout;
  let file: WrittenFile | undefined;
  output.restart();
  using scratch = new Scratch(source.core, [anyBlockBytes(source)]);
  const { core, places } = scratch;
  using deflater = openDeflater(FIRST_METHOD.tuning, (piece) => file?.data(piece), core);
  using trial = new Trial(core);
  const blockOf = (of: Layout) => new RowBlock(core, places[0]!, source, of);
  let block = blockOf(layout);

  /**
   * Converts the block's indexed rows back to pixels. @param next the row that the palette could not take
   */
  function* unindex(next: Uint8Array = new Uint8Array(0)): Generator<Work, void, void> {
    const [indices, palette] = [block.unfiltered(), block.palette()];
    isIndexed = false;
    channels = neededChannels(palette, next);
    block = blockOf(channels);
    for (const row of unindexedRows(indices, width, palette)) {
      block.push(block.staged(row));
      if (block.rows === block.capacity) yield* flush();
    }
  }
  let method = FIRST_METHOD;
  let blocks = 0;
  function* flush(): Generator<Work, void, void> {
    if (isIndexed && !file && !isPaletteWorthIt(width * height, maxChannels, block.palette().length / 4)) {
      yield* unindex();
      if (block.rows === 0) return;
    }
    file ??= new WrittenFile(output, source, isIndexed ? 'indexed' : channels);
    if (blocks < TRIED_FIRST || blocks % TRIED_EVERY === 0) method = yield* trial.bestMethod(block);
    blocks++;
    deflater.tuning = method.tuning;
    yield* deflater.writing(block.filtered(method.adaptive));
    block.restart();
  }

  const stride = width * 4;
  for await (const strip of pacedStrips(source, slice)) {
    for (let row = 0; row < strip.rows; row++) {
      const line = strip.pixels.subarray(row * stride, (row + 1) * stride);
      if (!isIndexed && channels < maxChannels && !fitsChannels(line, channels)) return maxChannels;
      if (!block.push(line)) {
        if (file) return neededChannels(block.palette(), line);
        await inTurns(unindex(line), slice);
        block.push(line);
      }
      if (block.rows === block.capacity) await inTurns(flush(), slice);
    }
  }
  if (block.rows > 0) await inTurns(flush(), slice);
  deflater.finish();
  file?.finish(isIndexed ? block.palette() : new Uint8Array(0));
  return 'done';
}
