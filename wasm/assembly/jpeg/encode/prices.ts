/**
 * What coefficients cost: bits for each pair of run and size, estimated from the counts of the blocks so far.
 */
import { SAMPLING_GREY } from './constants';
import { BIT } from './quantise';
import { Encoder, STATISTICS_BYTES } from './state';
import { AC, countOf, countSymbols, DC, LARGEST_DC_SIZE } from './tables';

/**
 * Bytes of one class's prices. First u16, in 1/BIT of a bit: for a run of zeros (64) and a size (16), extra
 * bits and the ZRLs of long runs included; then for an end of block. Then f32 in bits: for a DC difference by
 * its size (12).
 */
export const PRICES_BYTES: usize = 2112;
export const EOB_PRICE: usize = 2048;
export const DC_PRICES: usize = 2064;

// @inline
export function priceOf(prices: usize, run: i32, size: i32): i32 {
  return <i32>load<u16>(prices + ((<usize>((run << 4) | size)) << 1));
}

function toParts(bits: f32): u16 {
  return <u16>min<f32>(bits * BIT, 65535);
}

/** T.81 F.1.2.2.1: AC coefficients of 8-bit images have 1 to 10 bits. */
const LARGEST_SIZE: i32 = 10;
const ZRL_SYMBOL: i32 = 0xf0;

/** Counts to start from, distributed roughly like the typical tables of T.81 K.3. */
const PRIOR: f32 = 256;
const PRIOR_EOB: f32 = PRIOR / 16;
const PRIOR_ZRL: f32 = PRIOR / 2048;

/** Roughly how many bits K.3 uses for a run below 16 and a size. */
// @inline
function typicalBits(run: i32, size: i32): i32 {
  return 1 + size + (min(run, 3) * (6 + 5 * size)) / 10 + (4 * run) / 10;
}

/**
 * Fills one class's prices with entropies, not code lengths: the tables are made later, and suit the choice.
 */
function fillPrices(statistics: usize, prices: usize): void {
  countSymbols(statistics, false);
  fillDcPrices(prices);
  let all = PRIOR;
  for (let symbol = 0; symbol < 256; symbol++) all += <f32>countOf(AC, symbol);
  store<u16>(prices, toParts(Mathf.log2(all / (<f32>countOf(AC, 0) + PRIOR_EOB))), EOB_PRICE);
  const zrl = Mathf.log2(all / (<f32>countOf(AC, ZRL_SYMBOL) + PRIOR_ZRL));
  for (let run = 0; run < 16; run++) {
    for (let size = 1; size <= LARGEST_SIZE; size++) {
      const count = <f32>countOf(AC, (run << 4) | size) + PRIOR / <f32>(1 << typicalBits(run, size));
      let price = Mathf.log2(all / count) + <f32>size;
      for (let whole = run; whole < 63; whole += 16) {
        store<u16>(prices + ((<usize>((whole << 4) | size)) << 1), toParts(price));
        price += zrl;
      }
    }
  }
}

function fillDcPrices(prices: usize): void {
  let all: f32 = 0;
  for (let size = 0; size <= LARGEST_DC_SIZE; size++) all += dcCountOf(size);
  for (let size = 0; size <= LARGEST_DC_SIZE; size++) {
    const price = Mathf.log2(all / dcCountOf(size)) + <f32>size;
    store<f32>(prices + ((<usize>size) << 2), price, DC_PRICES);
  }
}

/** The count of a DC size, plus a prior in which each size is half as frequent as the one before. */
function dcCountOf(size: i32): f32 {
  return <f32>countOf(DC, size) + PRIOR / <f32>(2 << size);
}

/** Call before coding `mcus` more MCUs: renews the prices whenever a quarter more MCUs have been counted. */
export function keepPrices(encoder: Encoder, mcus: i32): void {
  if (encoder.mcusSeen >= encoder.mcusPriced) {
    encoder.mcusPriced = encoder.mcusSeen + (encoder.mcusSeen >> 2) + 1;
    fillPrices(encoder.statistics, encoder.prices);
    if (encoder.sampling !== SAMPLING_GREY) {
      fillPrices(encoder.statistics + STATISTICS_BYTES, encoder.prices + PRICES_BYTES);
    }
  }
  encoder.mcusSeen += mcus;
}
