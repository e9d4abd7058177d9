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

/** Methods are tried on the first blocks, then on one in so many: content seldom changes its nature. */
const TRIED_FIRST = 2;
const TRIED_EVERY = 4;

/** From so many colours on in the first rows, too many may come later. */
const MANY_COLOURS = 192;

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
 * Writes PNG (ISO/IEC 15948), row by row, with no chunk but IHDR, PLTE, tRNS, IDAT and IEND. Pixels of 256
 * colours or fewer become indices of 1, 2, 4 or 8 bits into a palette of just these, or greys of so many
 * bits; others are grey, grey and alpha, RGB or RGBA of 8 bits by the raster's traits, or fewer channels
 * where its rows so far need no more. Filters and deflate effort follow the content, by trials on some of
 * its rows.
 *
 * Bits and layout are chosen by the rows of the first block, before any is written. The source is read
 * once, and again only where the palette of these is nearly full, or more colours come after rows were
 * written than have room: what is then left of it is looked through for how many there are; and once more
 * where alpha comes later still. The output lies in the memory of a core until it is disposed of
 * (owned_bytes.ts).
 */
export const pngEncoder: Encoder = {
  format: 'png',
  mediaType: 'image/png',
  extension: 'png',
  // It starts over where indices have no room for a later colour, and again where alpha comes later.
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
      // Each holds more than the one before: indices, more of them, channels so far, all of the traits.
      while (plan !== 'done') plan = await writeLayout(source, output, plan, slice);
    });
  },
};

/**
 * Whether the first rows have so many colours that the rest is looked through before any is written. A
 * palette that is full to the last was made to be, and has no more.
 */
const mayOverflow = (colours: number) => colours >= MANY_COLOURS && colours < MOST_COLOURS;

/** How to write a picture. */
interface Plan {
  readonly layout: Layout;
  /** Indices have room for so many colours at least. */
  readonly colours: number;
}

const byChannels = (layout: Channels): Plan => ({ layout, colours: 0 });

/**
 * Writes the whole file in one layout.
 * @returns 'done', or the plan to start over with, where rows were written before this one failed
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
  let isFull = false;
  let method = FIRST_METHOD;
  let blocks = 0;
  function* flush(): Generator<Work, void, void> {
    if (!file && isIndexed) {
      const isWorthIt = isPaletteWorthIt(width * height, maxChannels, block.colours);
      // Nothing is known of the rest before it was looked through.
      const isKnown = colours > 0 || maxChannels === 1 || block.rows === height;
      isFull = isWorthIt && !isKnown && mayOverflow(block.colours);
      if (isFull) return;
      // Of greys all 256 levels are indices, too: no row has to be converted back.
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
    yield* deflater.writing(block.filtered(method.adaptive));
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
        // One channel takes as much as indices of eight bits: no need to know how many there are.
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
