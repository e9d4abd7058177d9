/** What symbols cost: code lengths from counts. */
import { codeLengths } from '../../../deflate/codes';
import { DISTANCES, GREENS, Trial } from './state';

/** Longest codeword (WebP lossless bitstream specification, section 6.2.1). */
export const LONGEST: u32 = 15;
/** codeLengths accepts counts below 2^23. */
const MOST_COUNT: u32 = 1 << 23;

const scaled = memory.data(280 * 4, 4);

/** Code lengths of counted symbols: only those that occur get one, and only if there are two or more. */
export function lengthsOf(counts: usize, symbols: u32, longest: u32, lengths: usize): void {
  let most: u32 = 0;
  for (let i: u32 = 0; i < symbols; i++) most = max(most, load<u32>(counts + ((<usize>i) << 2)));
  let shift: u32 = 0;
  while (most >> shift >= MOST_COUNT) shift++;
  if (shift === 0) {
    codeLengths(counts, symbols, longest, lengths);
    return;
  }
  for (let i: u32 = 0; i < symbols; i++) {
    const count = load<u32>(counts + ((<usize>i) << 2));
    store<u32>(scaled + ((<usize>i) << 2), count === 0 ? 0 : max(1, count >> shift));
  }
  codeLengths(scaled, symbols, longest, lengths);
}

/** Assumed price of greens before any were counted, and of ones that have not occurred yet. */
const FIRST_PRICE: u8 = 8;
const UNSEEN_PRICE: u8 = 12;
/** Tokens after which prices are made first; then whenever their number has doubled. */
const FIRST_PRICES: u32 = 256;

export function startPrices(trial: Trial): void {
  memory.fill(trial.prices, FIRST_PRICE, GREENS);
  trial.repriceAt = FIRST_PRICES;
}

/** Updates the prices from the counts, if it is time. */
// @inline
export function reprice(trial: Trial): void {
  if (trial.tokens >= trial.repriceAt) makePrices(trial);
}

function makePrices(trial: Trial): void {
  trial.repriceAt = trial.tokens << 1;
  lengthsOf(trial.counts, GREENS, LONGEST, trial.prices);
  for (let i: u32 = 0; i < GREENS; i++) {
    if (load<u8>(trial.prices + i) === 0) store<u8>(trial.prices + i, UNSEEN_PRICE);
  }
}

const lengths = memory.data(280);

/** Bits of all of a trial's tokens, without the codes. */
export function tokenBits(trial: Trial): u64 {
  lengthsOf(trial.counts, GREENS, LONGEST, lengths);
  const greens = weighted(trial.counts, GREENS);
  const distances = trial.counts + ((<usize>GREENS) << 2);
  lengthsOf(distances, DISTANCES, LONGEST, lengths);
  return greens + weighted(distances, DISTANCES) + trial.extraBits;
}

/** A single symbol takes no bits. */
function weighted(counts: usize, symbols: u32): u64 {
  let bits: u64 = 0;
  let used = 0;
  for (let i: u32 = 0; i < symbols; i++) {
    const count = load<u32>(counts + ((<usize>i) << 2));
    if (count > 0) used++;
    bits += <u64>count * load<u8>(lengths + i);
  }
  return used > 1 ? bits : 0;
}
