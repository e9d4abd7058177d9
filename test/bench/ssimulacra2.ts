import type { Picture } from '../fixtures/pictures.ts';
import { blur, type Planes, SCALES, scalesOf } from './xyb_scales.ts';

/** The shorter side that six halvings leave 8 samples at the fifth. */
const LEAST_SIDE = 113;
/** What keeps SSIM's ratio of variances steady. */
const STEADY = 0.0009;

/**
 * SSIMULACRA 2.1 (github.com/cloudinary/ssimulacra2; its weights and laws are Jon Sneyers'): how alike two
 * pictures look, alpha aside. 100 where they are the same, 90 where hardly anyone sees a difference at first
 * glance, 70 for high quality, 50 for medium, negative for what is worse than bad.
 * @returns the score of pictures beside this one
 * @throws Error where a side is below 113, or the other picture has another size
 */
export function ssimulacra2Beside(original: Picture): (other: Picture) => number {
  if (Math.min(original.width, original.height) < LEAST_SIDE) {
    throw new Error(`a picture of at least ${LEAST_SIDE} × ${LEAST_SIDE} was expected`);
  }
  const first = scalesOf(original).map((xyb) => ({ xyb, ...momentsOf(xyb) }));
  return (other) => {
    const { width, height } = other;
    if (width !== original.width || height !== original.height) {
      throw new Error(`${original.width} × ${original.height} was expected, not ${width} × ${height}`);
    }
    let sum = 0;
    for (const [scale, xyb] of scalesOf(other).entries()) {
      const { means, squares } = momentsOf(xyb);
      const one = first[scale]!;
      for (const channel of [0, 1, 2]) {
        const [a, b] = [one.xyb.of[channel]!, xyb.of[channel]!];
        const product = blur(
          a.map((value, i) => value * b[i]!),
          xyb.width,
          xyb.height,
        );
        const [meanA, meanB] = [one.means[channel]!, means[channel]!];
        const norms = [
          ...structureNorms(meanA, meanB, one.squares[channel]!, squares[channel]!, product),
          ...edgeNorms(a, b, meanA, meanB),
        ];
        // The mean and the fourth norm of each of three maps; the table has the three means first.
        const weights = WEIGHTS[channel * SCALES + scale]!;
        for (const [i, at] of [0, 3, 1, 4, 2, 5].entries()) sum += weights[at]! * norms[i]!;
      }
    }
    return scoreOf(sum);
  };
}

/** From the weighed sum of all errors to the scale of what people said. */
function scoreOf(sum: number): number {
  const error = sum * 0.9562382616834844;
  const bent =
    2.326765642916932 * error - 0.020884521182843837 * error ** 2 + 6.248496625763138e-5 * error ** 3;
  return bent > 0 ? 100 - 10 * bent ** 0.6276336467831387 : 100;
}

/** Blurred samples and blurred squares of each plane. */
function momentsOf({ width, height, of }: Planes) {
  return {
    means: of.map((plane) => blur(plane, width, height)),
    squares: of.map((plane) =>
      blur(
        plane.map((value) => value * value),
        width,
        height,
      ),
    ),
  };
}

/** Mean and fourth norm of 1 − SSIM, without the term that counts dark places for more. */
function structureNorms(
  meanA: Float32Array,
  meanB: Float32Array,
  squareA: Float32Array,
  squareB: Float32Array,
  product: Float32Array,
): readonly [number, number] {
  let [sum, fourth] = [0, 0];
  for (let i = 0; i < meanA.length; i++) {
    const [a, b] = [meanA[i]!, meanB[i]!];
    const shared = 2 * (product[i]! - a * b) + STEADY;
    const own = squareA[i]! - a * a + (squareB[i]! - b * b) + STEADY;
    const error = Math.max(0, 1 - ((1 - (a - b) ** 2) * shared) / own);
    sum += error;
    fourth += error ** 4;
  }
  return [sum / meanA.length, (fourth / meanA.length) ** 0.25];
}

/** Mean and fourth norm of edges that came (ringing, blocks, bands), then of those that went (blur). */
function edgeNorms(
  a: Float32Array,
  b: Float32Array,
  meanA: Float32Array,
  meanB: Float32Array,
): readonly [number, number, number, number] {
  let [came, cameFourth, went, wentFourth] = [0, 0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const more = (1 + Math.abs(b[i]! - meanB[i]!)) / (1 + Math.abs(a[i]! - meanA[i]!)) - 1;
    if (more > 0) {
      came += more;
      cameFourth += more ** 4;
    } else {
      went -= more;
      wentFourth += more ** 4;
    }
  }
  const mean = (value: number) => value / a.length;
  return [mean(came), mean(cameFourth) ** 0.25, mean(went), mean(wentFourth) ** 0.25];
}

/**
 * The specification's weights: X, Y and B, of each six scales, of each the means of the three maps
 * (structure, edges that came, edges that went), then their fourth norms.
 */
const WEIGHTS: readonly (readonly number[])[] = [
  [0, 0.0007376606707, 0, 0, 0.0007793481683, 0],
  [0, 0.000437115573, 0, 1.104172643, 0.0006628483413, 0.0001523163278],
  [0, 0.001640643746, 0, 1.842245552, 11.4411726, 0],
  [0.0007989109436, 0.0001768164381, 0, 1.878759498, 10.94906991, 0],
  [0.0007289346992, 0.9677937081, 0, 0.0001400342429, 0.9981766978, 0.0003194975593],
  [0.0004550992114, 0, 0, 0.001364876616, 0, 0],
  [0, 0, 0, 7.466890328, 0, 17.44583398],
  [0.0006235601634, 0, 0, 6.683678146, 0.0003772440798, 1.027889938],
  [225.205153, 0, 0, 19.21323819, 0.001140152459, 0.001237755636],
  [176.393176, 0, 0, 24.43301, 0.2852080261, 0.0004485436924],
  [0, 0, 0, 34.77906344, 44.83562533, 0],
  [0, 0, 0, 0, 0, 0],
  [0, 0.0008680556573, 0, 0, 0, 0],
  [0, 0.0005313191874, 0, 0.0001653381416, 0, 0],
  [0, 0, 0, 0.0004179171803, 0.001729082823, 0],
  [0.002082700585, 0, 0, 8.826982765, 23.19243344, 0],
  [95.10804988, 0.9863978034, 0.9834382792, 0.001228640505, 171.2667256, 0.9807858872],
  [0, 0, 0, 0.0005130064589, 0, 0.0001085405786],
];
