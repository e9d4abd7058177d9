import type { Box } from '../boxes.ts';
import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import type { PixelArea } from '../facts.ts';

/** Properties that change what is shown and its orientation: ISO/IEC 23008-12 §6.5.9 to 6.5.12. */
export const TRANSFORMS: readonly string[] = ['clap', 'irot', 'imir'];

/** Exif orientations for 0 to 3 quarter turns anti-clockwise: unmirrored, and mirrored first. */
const UPRIGHT = [1, 8, 3, 6];
const MIRRORED = [2, 5, 4, 7];

/** The picture and its shown part, in the coordinates after the transforms so far. */
interface Shown {
  readonly width: number;
  readonly height: number;
  readonly area: PixelArea;
}

/**
 * Writes orientation and clean aperture of a picture whose size is known: `irot` (quarter turns
 * anti-clockwise), `imir` (0 exchanges top and bottom, 1 left and right) and `clap`. Each applies to the
 * result of those before it, AVIF §2.3. An Exif item does not orient. Of several apertures the intersection
 * is shown: each counts from the centre of the whole picture, so linking one twice has no further effect.
 * @param transforms properties of these types in the order in which they apply
 */
export function describeTransforms(cursor: Cursor, transforms: readonly Box[], draft: FactsDraft): void {
  const { width, height } = draft;
  let shown: Shown = { width, height, area: { x: 0, y: 0, width, height } };
  let quarters = 0;
  let mirrored = false;
  let isIgnored = false;
  for (const { type, body, end } of transforms) {
    if (type === 'clap') {
      const area = inBoth(shown.area, aperture(cursor.window(body, end), shown));
      if (area) shown = { ...shown, area };
      else isIgnored = true;
      continue;
    }
    const value = cursor.u8(body);
    if (value < 0) continue;
    if (type === 'irot') {
      quarters += value & 3;
      for (let n = 0; n < (value & 3); n++) shown = turned(shown);
    } else {
      // Mirroring a turned picture equals turning the mirrored one the other way; exchanging top and bottom
      // equals exchanging left and right and a half turn.
      quarters = -quarters + ((value & 1) === 0 ? 2 : 0);
      mirrored = !mirrored;
      shown = flipped(shown, (value & 1) === 0);
    }
  }
  draft.orient((mirrored ? MIRRORED : UPRIGHT)[((quarters % 4) + 4) % 4]!);
  const { area } = shown;
  if (area.width < shown.width || area.height < shown.height) draft.cleanAperture = area;
  else if (isIgnored) draft.cleanAperture = null;
}

/** After a quarter turn anti-clockwise. */
const turned = ({ width, height, area }: Shown): Shown => ({
  width: height,
  height: width,
  area: { x: area.y, y: width - area.x - area.width, width: area.height, height: area.width },
});

const flipped = ({ width, height, area }: Shown, isUpsideDown: boolean): Shown => ({
  width,
  height,
  area: isUpsideDown
    ? { ...area, y: height - area.y - area.height }
    : { ...area, x: width - area.x - area.width },
});

/**
 * CleanApertureBox, ISO/IEC 14496-12 §12.1.4: width, height, and the offset of its centre to the right of and
 * below the picture's centre, each as a fraction. Edges that cut a pixel move inwards; parts beyond the
 * picture are cut off.
 * @returns null if it contains no whole pixel of the picture, or can't be computed
 */
function aperture(box: Cursor, { width, height }: Omit<Shown, 'area'>): PixelArea | null {
  const across = within(width, fraction(box, 0), fraction(box, 16));
  const down = within(height, fraction(box, 8), fraction(box, 24));
  if (!across || !down) return null;
  return { x: across.from, y: down.from, width: across.length, height: down.length };
}

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** Two 32-bit numbers; offsets are signed, and readers treat all of them as signed. */
function fraction(box: Cursor, at: number): Fraction | null {
  const [over, under] = [box.u32(at), box.u32(at + 4)];
  const signed = (value: number) => BigInt.asIntN(32, BigInt(value));
  return over < 0 || under < 0 || signed(under) <= 0n ? null : { over: signed(over), under: signed(under) };
}

/** The whole pixels of `size` within an extent of this length around the centre, shifted by `offset`. */
function within(
  size: number,
  length: Fraction | null,
  offset: Fraction | null,
): { from: number; length: number } | null {
  if (!length || !offset || length.over <= 0n) return null;
  // Both edges with a common denominator, computed exactly: the numbers may be too large for doubles.
  const under = 2n * length.under * offset.under;
  const long = 2n * length.over * offset.under;
  const start = 2n * offset.over * length.under + (BigInt(size) * under - long) / 2n;
  const end = start + long;
  const from = start > 0n ? (start + under - 1n) / under : 0n;
  const whole = end / under;
  const to = whole < size ? whole : BigInt(size);
  return from < to ? { from: Number(from), length: Number(to - from) } : null;
}

/** The intersection; null if it is empty. */
function inBoth(a: PixelArea, b: PixelArea | null): PixelArea | null {
  if (!b) return null;
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
