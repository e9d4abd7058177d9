import { Scratch } from '../../core/scratch.ts';
import { heldBytesFor } from '../../core/sizes.ts';
import { OutputBuffer, outputBufferBytes } from '../../memory/output_buffer.ts';
import { type TimeSlice, uninterrupted, workOf } from '../../time_slice.ts';
import type { Encoder, Raster, Size } from '../types.ts';
import { deflaterBytes, openDeflater } from './deflate.ts';
import { areHeld, type Layout, neededChannels, promisedChannels } from './layout.ts';
import { isPaletteWorthIt, unindexedRows } from './palette.ts';
import { blockBytes, RowBlock, unindexingBytes } from './row_block.ts';
import { FIRST_METHOD, Trial } from './trial.ts';
import { WrittenFile } from './written_file.ts';

/** The first blocks are all tried, then one in so many: content seldom changes its nature. */
const TRIED_FIRST = 2;
const TRIED_EVERY = 4;

/**
 * Output for a photograph of which nothing else is known, in bytes a pixel: measured 1.1 to 1.4 on
 * camera pictures of 2 to 12 megapixels.
 */
export const PHOTOGRAPH_BYTES_PER_PIXEL = 1.5;
/** One that writes, and one for trials. */
const DEFLATERS = 2;

/**
 * A block of rows in whichever layout takes most: one may give way to another between two rows, when nothing
 * may be reserved.
 */
const anyBlockBytes = (size: Size) =>
  Math.max(...(['indexed', 1, 2, 3, 4] as const).map((layout) => blockBytes(size, layout)));

const predictedLength = (pixels: number) => pixels * PHOTOGRAPH_BYTES_PER_PIXEL;

/**
 * Writes PNG (ISO/IEC 15948) at 8 bits, row by row, with no chunk but IHDR, PLTE, tRNS, IDAT and IEND. Pixels
 * of 256 colours or fewer become indices into a palette of just these; others are grey, grey and alpha, RGB
 * or RGBA by what the raster promises, or less where its rows so far need less. Filters and effort follow the
 * content, by trials on some of its rows.
 *
 * The source is read once. Only where the 257th colour comes after the first rows were written does reading
 * start again, and again where alpha comes later still. Rows are read where they lie; `bytes` lies in a
 * core's memory and keeps that from others until it is given back (owned_bytes.ts).
 */
export const pngEncoder: Encoder = {
  format: 'png',
  mediaType: 'image/png',
  extension: 'png',
  lossless: true,

  cost: (size, _quality, outputBytes) => ({
    inCores:
      heldBytesFor([anyBlockBytes(size)]) +
      deflaterBytes() * DEFLATERS +
      outputBufferBytes(outputBytes ?? predictedLength(size.width * size.height)),
    elsewhere: unindexingBytes(size.width, size.height),
  }),

  async encode(source, _quality, maxOutputBytes, raiseLimit, slice = uninterrupted) {
    // One for all layouts: what the first has taken, the next uses again.
    const expected = Math.min(maxOutputBytes, predictedLength(source.width * source.height));
    const output = new OutputBuffer('PNG', maxOutputBytes, raiseLimit, expected);
    const promised = promisedChannels(source);
    let layout: Layout | 'done' = promised > 1 ? 'indexed' : promised;
    try {
      // Each layout can hold more than the one before: indices, what was needed so far, what is promised.
      while (layout !== 'done') layout = await written(source, output, layout, slice);
      return output;
    } catch (error) {
      output[Symbol.dispose]();
      throw error;
    }
  },
};

/**
 * The whole file, or another layout to begin again with, when it turned out too late that this one cannot
 * hold the pixels.
 */
async function written(
  source: Raster,
  output: OutputBuffer,
  layout: Layout,
  slice: TimeSlice,
): Promise<Layout | 'done'> {
  const { width, height } = source;
  const promised = promisedChannels(source);
  let isIndexed = layout === 'indexed';
  let channels = layout === 'indexed' ? promised : layout;
  let file: WrittenFile | undefined;
  output.restart();
  using scratch = new Scratch(source.core, [anyBlockBytes(source)]);
  const { core, places } = scratch;
  using deflater = openDeflater(FIRST_METHOD.tuning, (piece) => file?.data(piece), core);
  using trial = new Trial(core);
  const blockOf = (of: Layout) => new RowBlock(core, places[0]!, source, of);
  let block = blockOf(layout);

  /**
   * Rows that were taken as indices become pixels again. @param next the row that could not be taken, if any
   */
  const unindex = (next: Uint8Array = new Uint8Array(0)) => {
    const [indices, palette] = [block.unfiltered(), block.palette()];
    isIndexed = false;
    channels = neededChannels(palette, next);
    block = blockOf(channels);
    for (const row of unindexedRows(indices, width, palette)) {
      block.push(block.staged(row));
      if (block.rows === block.capacity) flush();
    }
  };
  let method = FIRST_METHOD;
  let blocks = 0;
  const flush = () => {
    if (isIndexed && !file && !isPaletteWorthIt(width * height, promised, block.palette().length / 4)) {
      unindex();
      if (block.rows === 0) return;
    }
    file ??= new WrittenFile(output, source, isIndexed ? 'indexed' : channels);
    if (blocks < TRIED_FIRST || blocks % TRIED_EVERY === 0) method = trial.bestMethod(block);
    blocks++;
    deflater.tuning = method.tuning;
    deflater.write(block.filtered(method.adaptive));
    block.restart();
  };

  const stride = width * 4;
  for (const strip of source.strips()) {
    const turn = slice.spend(workOf(strip, width));
    if (turn) await turn;
    if (typeof strip === 'number') continue;
    for (let row = 0; row < strip.rows; row++) {
      const line = strip.pixels.subarray(row * stride, (row + 1) * stride);
      if (!isIndexed && channels < promised && !areHeld(line, channels)) return promised;
      if (!block.push(line)) {
        if (file) return neededChannels(block.palette(), line);
        unindex(line);
        block.push(line);
      }
      if (block.rows === block.capacity) flush();
    }
  }
  if (block.rows > 0) flush();
  deflater.finish();
  file?.finish(isIndexed ? block.palette() : new Uint8Array(0));
  return 'done';
}
