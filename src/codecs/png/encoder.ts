import { Scratch } from '../../core/scratch.ts';
import { heldBytesFor } from '../../core/sizes.ts';
import { encodeInto, type OutputBuffer, outputBufferBytes } from '../../memory/output_buffer.ts';
import { inTurns, type TimeSlice, uninterrupted } from '../../scheduling/time_slice.ts';
import type { Work } from '../../scheduling/work.ts';
import { pacedStrips } from '../../strips.ts';
import type { Encoder, Raster, Size } from '../types.ts';
import { deflaterBytes, openDeflater } from './deflate.ts';
import { MOST_COLOURS } from './indices.ts';
import { type Channels, channelsByTraits, fitsChannels, type Layout, neededChannels } from './layout.ts';
import { estimatedLength, PHOTOGRAPH_BYTES_PER_PIXEL } from './length_estimate.ts';
import { isPaletteWorthIt, unindexedRows } from './palette.ts';
import { blockBytes, RowBlock, unindexingBytes } from './row_block.ts';
import { FIRST_METHOD, Trial } from './trial.ts';
import { WrittenFile } from './written_file.ts';

/** Methods are tried on the first blocks, then on one in `TRIED_EVERY`: content seldom changes its nature. */
const TRIED_FIRST = 2;
const TRIED_EVERY = 4;

/** If the first rows have this many colours, too many may come later. */
const MANY_COLOURS = 192;

/** One for the output, one for trials. */
const DEFLATERS = 2;

/**
 * Bytes of a block of rows in the largest layout: the layout may change between two rows, when nothing more
 * may be reserved.
 */
const anyBlockBytes = (size: Size) =>
  Math.max(...(['indexed', 1, 2, 3, 4] as const).map((layout) => blockBytes(size, layout)));

const predictedLength = (pixels: number) => pixels * PHOTOGRAPH_BYTES_PER_PIXEL;

/**
 * Writes PNG (ISO/IEC 15948), row by row, with no chunks but IHDR, PLTE, tRNS, IDAT and IEND. Pixels of at
 * most 256 colours become indices of 1, 2, 4 or 8 bits into a palette of exactly these, or grey samples of
 * as many bits. Others become 8-bit grey, grey and alpha, RGB or RGBA: as the raster's traits say, or with
 * fewer channels if its first rows need no more. Filters and deflate effort follow the content, by trials on
 * some rows.
 *
 * The rows of the first block decide bits and layout, before any row is written. Usually the source is read
 * once. If the palette is nearly full after the first block, or a later row has more colours than it has
 * room for, the rest of the source is read to count its colours, and the file starts over. It starts over
 * once more if alpha comes later still. The output lies in the memory of a core until it is disposed of
 * (owned_bytes.ts).
 */
export const pngEncoder: Encoder = {
  format: 'png',
  mediaType: 'image/png',
  extension: 'png',
  // It starts over if indices have no room for a later colour, and again if alpha comes later.
  reads: 3,
  pixelTime: 55,
  times: { plain: 3, dense: 30 },
  lossless: true,
  lengthOf: estimatedLength,

  cost: (size, _quality, outputBytes) => ({
    inCores:
      heldBytesFor([anyBlockBytes(size)]) +
      deflaterBytes() * DEFLATERS +
      outputBufferBytes(outputBytes ?? predictedLength(size.width * size.height)),
    elsewhere: unindexingBytes(size.width, size.height),
  }),

  encode(source, _quality, maxOutputBytes, raiseLimit, slice = uninterrupted) {
    const expected = predictedLength(source.width * source.height);
    return encodeInto('PNG', maxOutputBytes, raiseLimit, expected, async (output) => {
      // One buffer for all layouts: a later layout reuses what an earlier one has allocated.
      let plan: Plan | 'done' = { layout: 'indexed', colours: 0 };
      // Each plan has more room than the one before: indices, more indices, channels so far, all channels.
      while (plan !== 'done') plan = await writeLayout(source, output, plan, slice);
    });
  },
};

/**
 * Whether the first rows have so many colours that the colours of the rest are counted before any row is
 * written. A palette that is exactly full was made that way: the picture has no further colour.
 */
const mayOverflow = (colours: number) => colours >= MANY_COLOURS && colours < MOST_COLOURS;

/** How to write a picture. */
interface Plan {
  readonly layout: Layout;
  /** The fewest colours that indices have room for. */
  readonly colours: number;
}

const byChannels = (layout: Channels): Plan => ({ layout, colours: 0 });

/**
 * Writes the whole file in one layout.
 * @returns 'done', or the plan to start over with if this one failed
 */
async function writeLayout(
  source: Raster,
  output: OutputBuffer,
  { layout, colours }: Plan,
  slice: TimeSlice,
): Promise<Plan | 'done'> {
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
  const blockOf = (wanted: Layout) => new RowBlock(core, places[0]!, source, wanted);
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
  let isFull = false;
  let method = FIRST_METHOD;
  let blocks = 0;
  function* flush(): Generator<Work, void, void> {
    if (!file && isIndexed) {
      const isWorthIt = isPaletteWorthIt(width * height, maxChannels, block.colours);
      // Whether the colours of the whole image are known, or do not matter.
      const isKnown = colours > 0 || maxChannels === 1 || block.rows === height;
      isFull = isWorthIt && !isKnown && mayOverflow(block.colours);
      if (isFull) return;
      // All 256 levels of grey are indices, too, so no grey row has to be converted back.
      if (isWorthIt || maxChannels === 1) block.arrange(isWorthIt ? colours : MOST_COLOURS);
      else yield* unindex();
      if (block.rows === 0) return;
    }
    if (!file) {
      file = new WrittenFile(output, source, isIndexed ? 'indexed' : channels, block.depth);
      deflater.restart(block.pixelRows);
    }
    if (blocks < TRIED_FIRST || blocks % TRIED_EVERY === 0) method = yield* trial.bestMethod(block);
    blocks++;
    deflater.tuning = method.tuning;
    yield* deflater.writing(block.filtered(method.filter));
    block.restart();
  }

  const stride = width * 4;
  for await (const strip of pacedStrips(source, slice)) {
    for (let row = 0; row < strip.rows; row++) {
      const line = strip.pixels.subarray(row * stride, (row + 1) * stride);
      if (!isIndexed && channels < maxChannels && !fitsChannels(line, channels))
        return byChannels(maxChannels);
      if (isFull) {
        if (!block.look(line)) return byChannels(neededChannels(block.allColours(), line));
        continue;
      }
      if (!block.push(line)) {
        // One channel takes as much as indices of eight bits, so greys need no count of their colours.
        if (file && maxChannels > 1 && block.look(line)) {
          isFull = true;
          continue;
        }
        if (file) return byChannels(neededChannels(block.allColours(), line));
        await inTurns(unindex(line), slice);
        block.push(line);
      }
      if (block.rows === block.capacity) await inTurns(flush(), slice);
    }
  }
  if (isFull) return { layout: 'indexed', colours: block.colours };
  if (block.rows > 0) await inTurns(flush(), slice);
  deflater.finish();
  file?.finish(block.meaning());
  return 'done';
}
