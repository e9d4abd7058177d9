import type { Strip } from '../../src/codecs/types.ts';
import type { Box } from '../../src/faces/boxes.ts';

/** How light a face is, by the middle of its label: half as wide and as high. */
export interface Tone {
  /** Mean luma, 0 to 255. */
  readonly luma: number;
  /**
   * Individual typology angle in degrees, arctan((L* − 50) / b*) of the mean colour, larger where skin is
   * lighter (Chardon et al., 1991); undefined where there is hardly any colour to tell by.
   */
  readonly ita: number | undefined;
}

/** Of less chroma (CIELAB) a picture is grey, or nearly so. */
const LEAST_CHROMA = 5;

/** What ITA is called in the literature: lower bounds in degrees, lightest first. */
export const itaGroups = [
  ['very light', 55],
  ['light', 41],
  ['intermediate', 28],
  ['tan', 10],
  ['brown', -30],
  ['dark', Number.NEGATIVE_INFINITY],
] as const;

export const itaGroup = (ita: number): string => itaGroups.find(([, least]) => ita > least)![0];

/** @param raster of which the rows are read once; undefined for faces of which no pixel is in it */
export function tonesOf(
  raster: { readonly width: number; strips(): Iterable<Strip> },
  faces: readonly Box[],
): (Tone | undefined)[] {
  const sums = faces.map(() => ({ red: 0, green: 0, blue: 0, count: 0 }));
  for (const { y, rows, pixels } of raster.strips()) {
    for (const [index, { x: left, y: top, w, h }] of faces.entries()) {
      const sum = sums[index]!;
      const columns = within(left + w / 4, left + (3 * w) / 4, 0, raster.width);
      const lines = within(top + h / 4, top + (3 * h) / 4, y, y + rows);
      for (let line = lines.from; line < lines.to; line++) {
        for (let column = columns.from; column < columns.to; column++) {
          const at = ((line - y) * raster.width + column) * 4;
          sum.red += pixels[at]!;
          sum.green += pixels[at + 1]!;
          sum.blue += pixels[at + 2]!;
          sum.count++;
        }
      }
    }
  }
  return sums.map(({ red, green, blue, count }) =>
    count === 0 ? undefined : toneOf(red / count, green / count, blue / count),
  );
}

function within(from: number, to: number, least: number, most: number): { from: number; to: number } {
  return { from: Math.max(least, Math.round(from)), to: Math.min(most, Math.round(to)) };
}

/** @param red of sRGB, 0 to 255, as `green` and `blue` */
export function toneOf(red: number, green: number, blue: number): Tone {
  const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
  const [r, g, b] = [red, green, blue].map(linear) as [number, number, number];
  // sRGB to CIELAB, both with white of D65 (IEC 61966-2-1).
  const x = lightness((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = lightness(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = lightness((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  const [aStar, bStar] = [500 * (x - y), 200 * (y - z)];
  const isGrey = Math.hypot(aStar, bStar) < LEAST_CHROMA;
  const ita = (Math.atan2(116 * y - 16 - 50, Math.max(bStar, 0)) * 180) / Math.PI;
  return { luma, ita: isGrey ? undefined : ita };
}

function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** CIELAB's cube root, straight near black. */
const lightness = (share: number): number =>
  share > 216 / 24_389 ? Math.cbrt(share) : (share * 24_389) / 27 / 116 + 16 / 116;
