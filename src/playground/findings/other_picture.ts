import { fullBox } from '../geometry.ts';
import { blockMeans, type Pixels } from '../stage/block_means.ts';

/** Both pictures are compared in this many parts across and down. */
const PARTS = 24;
/**
 * Pictures whose parts correlate less than this show different things. A picture and its small copy correlate
 * more, even if one is brighter; a picture and its central nine tenths less.
 */
const LEAST_CORRELATION = 0.96;
/** Standard deviation, of 255, below which a picture has too little contrast to be compared. */
const LEAST_CONTRAST = 6;

/** Mean-free luma of each part (ITU-R BT.601-7, 2.5.1). */
function parts(pixels: Pixels): Float64Array {
  const { width, height } = pixels;
  const block = { x: 0, y: 0, w: width / PARTS, h: height / PARTS };
  const { data } = blockMeans(pixels, block, { width: PARTS, height: PARTS }, fullBox(pixels));
  const luma = Float64Array.from(
    { length: PARTS * PARTS },
    (_, at) => 0.299 * data[at * 4]! + 0.587 * data[at * 4 + 1]! + 0.114 * data[at * 4 + 2]!,
  );
  const mean = luma.reduce((sum, value) => sum + value, 0) / luma.length;
  return luma.map((value) => value - mean);
}

const product = (a: Float64Array, b: Float64Array) =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0) / a.length;

/** Whether two pictures of any sizes show different things, e.g. if one is a crop of the same shape. */
export function showOther(a: Pixels, b: Pixels): boolean {
  const [first, second] = [parts(a), parts(b)];
  const [contrastA, contrastB] = [product(first, first), product(second, second)].map(Math.sqrt) as [
    number,
    number,
  ];
  if (Math.max(contrastA, contrastB) < LEAST_CONTRAST) return false;
  return product(first, second) < LEAST_CORRELATION * contrastA * contrastB;
}
