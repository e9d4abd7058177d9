/** Turns one MCU row of samples into tokens. */
import { writeTokens } from './bits';
import { SAMPLING_FULL, SAMPLING_GREY, SAMPLING_HALVED } from './constants';
import { chooseDcs, noteDcs } from './dc_trellis';
import { forwardDct } from './fdct';
import { keepPrices, PRICES_BYTES } from './prices';
import { quantise, weak } from './quantise';
import { BLOCK_TOKEN_BYTES, Encoder, MCU_BLOCKS, SEGMENT_MCUS, STATISTICS_BYTES } from './state';
import { beginWriting } from './tables';
import { tokenise, tokeniseEmpty } from './tokens';
import { keptOf } from './trellis';

/** The current block's 64 coefficients, and their quantised levels. */
const BLOCK: usize = memory.data(128, 16);
const LEVELS: usize = memory.data(128, 16);

export const SEGMENT_BYTES: usize = <usize>SEGMENT_MCUS * MCU_BLOCKS * BLOCK_TOKEN_BYTES;

/** DC differences of one segment's blocks, in order, i16, for each component. */
const LUMA_CHAIN: usize = memory.data(256, 4);
const BLUE_CHAIN: usize = memory.data(64, 4);
const RED_CHAIN: usize = memory.data(64, 4);

/**
 * Codes one block.
 * @param difference address of its DC's difference from the block before
 * @returns the place after the block's tokens
 */
function block(
  samples: usize,
  stride: usize,
  table: usize,
  difference: usize,
  to: usize,
  statistics: usize,
  prices: usize,
): usize {
  forwardDct(BLOCK, samples, stride);
  let mask = quantise(BLOCK, table, LEVELS);
  if (weak !== 0) mask = keptOf(BLOCK, LEVELS, mask, weak, table, prices);
  return tokenise(LEVELS, mask, <i32>load<i16>(difference), to, statistics);
}

/** Chooses the DC levels of MCUs [first, end) of the current band. */
function chooseSegmentDcs(encoder: Encoder, first: i32, end: i32): void {
  const stride = <usize>encoder.lumaStride;
  const fields = changetype<usize>(encoder);
  let at = LUMA_CHAIN;
  if (encoder.sampling === SAMPLING_HALVED) {
    const below = encoder.bandIndex * 2 + 1 < encoder.blocksHigh;
    for (let mcu = first; mcu < end; mcu++) {
      const blocks = min(encoder.blocksWide - mcu * 2, 2);
      const samples = encoder.luma + ((<usize>mcu) << 4);
      at = noteDcs(samples, stride, blocks, at);
      if (below) at = noteDcs(samples + (stride << 3), stride, blocks, at);
    }
  } else {
    at = noteDcs(encoder.luma + ((<usize>first) << 3), stride, end - first, at);
  }
  const count = <i32>(at - LUMA_CHAIN) >> 1;
  const last = fields + offsetof<Encoder>('predictionLuma');
  chooseDcs(LUMA_CHAIN, count, last, encoder.quantLuma, encoder.prices);
  if (encoder.sampling === SAMPLING_GREY) return;
  const blue = fields + offsetof<Encoder>('predictionBlue');
  chooseChromaDcs(encoder, encoder.blue, first, end - first, BLUE_CHAIN, blue);
  chooseChromaDcs(encoder, encoder.red, first, end - first, RED_CHAIN, blue + 4);
}

function chooseChromaDcs(
  encoder: Encoder,
  samples: usize,
  first: i32,
  count: i32,
  chain: usize,
  last: usize,
): void {
  noteDcs(samples + ((<usize>first) << 3), <usize>encoder.chromaStride, count, chain);
  chooseDcs(chain, count, last, encoder.quantChroma, encoder.prices + PRICES_BYTES);
}

/** Tokenises MCUs [first, end) of the current band. @returns the place after their tokens */
function tokeniseMcus(encoder: Encoder, first: i32, end: i32, to: usize): usize {
  chooseSegmentDcs(encoder, first, end);
  const sampling = encoder.sampling;
  const stride = <usize>encoder.lumaStride;
  const table = encoder.quantLuma;
  const statistics = encoder.statistics;
  const prices = encoder.prices;
  let dc = LUMA_CHAIN;
  if (sampling === SAMPLING_HALVED) {
    const below = encoder.bandIndex * 2 + 1 < encoder.blocksHigh;
    for (let mcu = first; mcu < end; mcu++) {
      const right = mcu * 2 + 1 < encoder.blocksWide;
      const samples = encoder.luma + ((<usize>mcu) << 4);
      for (let i = 0; i < 4; i++) {
        if ((i & 1 && !right) || (i & 2 && !below)) {
          to = tokeniseEmpty(to, statistics);
          continue;
        }
        const at = samples + <usize>((i & 1) << 3) + (i & 2 ? stride << 3 : 0);
        to = block(at, stride, table, dc, to, statistics, prices);
        dc += 2;
      }
      to = chromaBlocks(encoder, mcu, mcu - first, to);
    }
  } else {
    for (let mcu = first; mcu < end; mcu++) {
      to = block(encoder.luma + ((<usize>mcu) << 3), stride, table, dc, to, statistics, prices);
      dc += 2;
      if (sampling === SAMPLING_FULL) to = chromaBlocks(encoder, mcu, mcu - first, to);
    }
  }
  return to;
}

/** Tokenises an MCU's two chroma blocks. @param place index of the MCU in its segment */
function chromaBlocks(encoder: Encoder, mcu: i32, place: i32, to: usize): usize {
  const stride = <usize>encoder.chromaStride;
  const at = (<usize>mcu) << 3;
  const dc = (<usize>place) << 1;
  const table = encoder.quantChroma;
  const statistics = encoder.statistics + STATISTICS_BYTES;
  const prices = encoder.prices + PRICES_BYTES;
  to = block(encoder.blue + at, stride, table, BLUE_CHAIN + dc, to, statistics, prices);
  return block(encoder.red + at, stride, table, RED_CHAIN + dc, to, statistics, prices);
}

/**
 * Tokenises the band, whose samples are complete. Makes the tables once the token memory is full; from then
 * on it also writes the bits.
 */
export function encodeBand(encoder: Encoder): void {
  for (let first = 0; first < encoder.mcusWide; first += SEGMENT_MCUS) {
    const end = min(first + SEGMENT_MCUS, encoder.mcusWide);
    if (!encoder.writing && encoder.tokensEnd + SEGMENT_BYTES > encoder.tokensLimit) {
      beginWriting(encoder, true);
    }
    keepPrices(encoder, end - first);
    if (encoder.writing) {
      encoder.tokensAt = writeTokens(encoder, encoder.tokensAt, encoder.tokensEnd);
      const tokensEnd = tokeniseMcus(encoder, first, end, encoder.segment);
      writeTokens(encoder, encoder.segment, tokensEnd);
    } else {
      encoder.tokensEnd = tokeniseMcus(encoder, first, end, encoder.tokensEnd);
    }
  }
  encoder.bandIndex++;
}
