import { inCore } from '../codecs/in_core.ts';
import type { Decoder, Raster, Size, Want } from '../codecs/types.ts';
import { decodingFault } from '../faults.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { Conversion } from '../pixels/colour/conversion.ts';
import { crop } from '../pixels/crop.ts';
import { orient, turnsSideways } from '../pixels/orient.ts';
import { type Rect, touchedPixels } from '../pixels/rect.ts';
import { toSrgb } from '../pixels/to_srgb.ts';
import { bandBytes } from './cost_limit.ts';

/** An opened image, upright and cropped, perhaps shrunk by its decoder. */
interface Reading extends Disposable {
  readonly raster: Raster;
  /** The conversion asked for was made. */
  readonly converted: boolean;
  /** From the raster's pixels to pixels of the upright, cropped full-size image. */
  toCropped<B extends { x: number; y: number; w: number; h: number }>(box: B): B;
}

/**
 * Opens the image and puts the first steps in front of it: colour, auto-rotation, then crop.
 * @param area the crop in upright full-size pixels
 * @param conversion absent where the pixels are sRGB, or need not be: faces are found in any colours
 * @throws Fault 'decoding' when the pixels have another size than the header promised
 */
export async function openReading(
  decoder: Decoder,
  bytes: Uint8Array,
  facts: FileFacts,
  want: Want,
  area: Rect,
  conversion?: Conversion,
): Promise<Reading> {
  const source = inCore(await decoder.open(bytes, facts, want), want.room);
  try {
    const factor = shrinkFactor(facts, source);
    const coloured = conversion && (await toSrgb(source, conversion));
    const upright = orient(coloured ?? source, facts.orientation, bandBytes(facts.format));
    const scaled = {
      x: area.x / factor,
      y: area.y / factor,
      width: area.width / factor,
      height: area.height / factor,
    };
    const cut = touchedPixels(scaled, upright) ?? { x: 0, y: 0, width: 1, height: 1 };
    return {
      raster: crop(upright, cut),
      converted: coloured !== undefined,
      toCropped: (box) => ({
        ...box,
        x: (box.x + cut.x) * factor - area.x,
        y: (box.y + cut.y) * factor - area.y,
        w: box.w * factor,
        h: box.h * factor,
      }),
      [Symbol.dispose]: () => source[Symbol.dispose](),
    };
  } catch (error) {
    source[Symbol.dispose]();
    throw error;
  }
}

/**
 * By how much the decoder shrank: its size is ceil(stored / factor) in both directions (codecs/types.ts,
 * `Want`).
 */
function shrinkFactor(facts: FileFacts, { width, height }: Size): number {
  const longer = turnsSideways(facts.orientation) ? facts.height / height : facts.width / width;
  const factor = Math.max(1, Math.round(longer));
  if (Math.ceil(facts.width / factor) !== width || Math.ceil(facts.height / factor) !== height) {
    throw decodingFault(
      `The header promises ${facts.width} × ${facts.height} pixels but the image has ${width} × ${height}`,
    );
  }
  return factor;
}
