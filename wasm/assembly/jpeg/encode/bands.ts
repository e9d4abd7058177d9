/** One MCU row of samples to tokens. */
import { writeTokens } from './bits';
import { SAMPLING_FULL, SAMPLING_HALVED } from './constants';
import { forwardDct } from './fdct';
import { keepPrices, PRICES_BYTES } from './prices';
import { quantise, weak } from './quantise';
import { BLOCK_TOKEN_BYTES, Encoder, MCU_BLOCKS, SEGMENT_MCUS, STATISTICS_BYTES } from './state';
import { beginWriting } from './tables';
import { tokenise, tokeniseEmpty } from './tokens';
import { keptOf } from './trellis';

/** 64 coefficients of the block at hand, and what they are quantised to. */
const BLOCK: usize = memory.data(128, 16);
const LEVELS: usize = memory.data(128, 16);

export const SEGMENT_BYTES: usize = <usize>SEGMENT_MCUS * MCU_BLOCKS * BLOCK_TOKEN_BYTES;

/**
 * @param prediction where the component's last DC is kept
 * @param prices of its class
 * @returns the place after the block's tokens
 */
function block(
  samples: usize,
  stride: usize,
  table: usize,
  prediction: usize,
  to: usize,
  statistics: usize,
  prices: usize,
): usize {
  forwardDct(BLOCK, samples, stride);
  let mask = quantise(BLOCK, table, LEVELS);
  if (weak !== 0) mask = keptOf(BLOCK, LEVELS, mask, weak, table, prices);
  const dc = <i32>load<i16>(LEVELS);
  const difference = dc - load<i32>(prediction);
  store<i32>(prediction, dc);
  return tokenise(LEVELS, mask, difference, to, statistics);
}

/** MCUs [first, end) of the current band. @returns the place after their tokens */
function tokeniseMcus(encoder: Encoder, first: i32, end: i32, to: usize): usize {
  const sampling = encoder.sampling;
  const lumaStride = <usize>encoder.lumaStride;
  const quantLuma = encoder.quantLuma;
  const statistics = encoder.statistics;
  const prices = encoder.prices;
  const predictionLuma = changetype<usize>(encoder) + offsetof<Encoder>('predictionLuma');
  if (sampling === SAMPLING_HALVED) {
    const below = encoder.bandIndex * 2 + 1 < encoder.blocksHigh;
    for (let mcu = first; mcu < end; mcu++) {
      const right = mcu * 2 + 1 < encoder.blocksWide;
      const samples = encoder.luma + ((<usize>mcu) << 4);
      to = block(samples, lumaStride, quantLuma, predictionLuma, to, statistics, prices);
      if (right) to = block(samples + 8, lumaStride, quantLuma, predictionLuma, to, statistics, prices);
      else to = tokeniseEmpty(to, statistics);
      const lower = samples + (lumaStride << 3);
      if (below) to = block(lower, lumaStride, quantLuma, predictionLuma, to, statistics, prices);
      else to = tokeniseEmpty(to, statistics);
      if (below && right)
        to = block(lower + 8, lumaStride, quantLuma, predictionLuma, to, statistics, prices);
      else to = tokeniseEmpty(to, statistics);
      to = chromaBlocks(encoder, mcu, to);
    }
  } else {
    for (let mcu = first; mcu < end; mcu++) {
      to = block(
        encoder.luma + ((<usize>mcu) << 3),
        lumaStride,
        quantLuma,
        predictionLuma,
        to,
        statistics,
        prices,
      );
      if (sampling === SAMPLING_FULL) to = chromaBlocks(encoder, mcu, to);
    }
  }
  return to;
}

function chromaBlocks(encoder: Encoder, mcu: i32, to: usize): usize {
  const stride = <usize>encoder.chromaStride;
  const at = (<usize>mcu) << 3;
  const statistics = encoder.statistics + STATISTICS_BYTES;
  const prices = encoder.prices + PRICES_BYTES;
  const predictions = changetype<usize>(encoder) + offsetof<Encoder>('predictionBlue');
  to = block(encoder.blue + at, stride, encoder.quantChroma, predictions, to, statistics, prices);
  return block(encoder.red + at, stride, encoder.quantChroma, predictions + 4, to, statistics, prices);
}

/**
 * Tokenises the band whose samples are complete; writes its bits too once the tables are made, which is when
 * the token memory is full.
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
