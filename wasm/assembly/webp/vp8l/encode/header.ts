/** Writes what precedes the plane's tokens, for one way of writing it. */
import { putBits } from './bits';
import { putCode, putNoCode } from './codes';
import { MAX_LEVELS } from './levels';
import { putSideImage } from './side';
import { AlphaEncoder, DISTANCES, GREENS, levelsOf, Source, Trial } from './state';

/** ALPH's first byte (RFC 9649 section 2.7.1.2): compression 1, the filter from bit 2 on. */
const COMPRESSED: u32 = 1;
const FILTER_HORIZONTAL: u32 = 1;
const FILTER_GRADIENT: u32 = 3;
/** WebP lossless bitstream specification, section 4. */
const PREDICTOR: u32 = 0;
const COLOUR_INDEXING: u32 = 3;
const MIN_BLOCK_BITS: u32 = 2;
/** Differences between levels, as a colour table stores them. */
const differences = memory.data(MAX_LEVELS + 16);

/** Writes the header. @param blocksHigh rows of blocks whose modes are known */
export function putHeader(encoder: AlphaEncoder, trial: Trial, blocksHigh: i32): void {
  const source = trial.source;
  const filter =
    source === Source.Left ? FILTER_HORIZONTAL : source === Source.Gradient ? FILTER_GRADIENT : 0;
  putBits(encoder, COMPRESSED | (filter << 2), 8);
  if (source === Source.Blocks) {
    putBits(encoder, 1 | (PREDICTOR << 1), 3);
    putBits(encoder, encoder.blockBits - MIN_BLOCK_BITS, 3);
    putSideImage(encoder, encoder.modes, encoder.blocksWide, blocksHigh);
  } else if (trial.packing > 0) {
    putBits(encoder, 1 | (COLOUR_INDEXING << 1), 3);
    putLevels(encoder, trial);
  }
  // No more transforms, no colour cache, one group.
  putBits(encoder, 0, 3);
  putCode(encoder, trial.counts, GREENS, encoder.codes);
  putNoCode(encoder);
  putNoCode(encoder);
  putNoCode(encoder);
  const counts = trial.counts + ((<usize>GREENS) << 2);
  putCode(encoder, counts, DISTANCES, encoder.codes + ((<usize>GREENS) << 2));
}

/** Writes the colour table. More levels than exist do no harm: their number decides how pixels are packed. */
function putLevels(encoder: AlphaEncoder, trial: Trial): void {
  const levels = levelsOf(encoder, trial.source);
  const least = trial.packing === 3 ? 1 : trial.packing === 2 ? 3 : 5;
  const count = max(least, levels.count);
  let last: u8 = 0;
  for (let i = 0; i < count; i++) {
    const level = i < levels.count ? load<u8>(levels.values + i) : last;
    store<u8>(differences + i, level - last);
    last = level;
  }
  putBits(encoder, count - 1, 8);
  putSideImage(encoder, differences, count, 1);
}
