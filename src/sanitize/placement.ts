import type { Size } from '../codecs/types.ts';
import { moveBox, type QuarterTurns, rotateBox, scaleBox } from '../faces/boxes.ts';
import type { Area } from '../pixels/ellipse.ts';
import type { OutputView } from '../pixels/fill.ts';
import { turnedRect } from '../pixels/quarter_turn.ts';
import type { Rect } from '../pixels/rect.ts';
import { type OutlinedBox, rotateOutline } from '../readable/outline.ts';
import type { QuarterTurn } from '../vocabulary/vocabulary.ts';

/** The way from an upright picture at full size to the output: it is turned, cropped and resized. */
export interface Placement {
  /** Size of the upright picture, before it is turned. */
  readonly upright: Size;
  /** Clockwise. */
  readonly turns: QuarterTurns;
  /** In whole pixels of the turned picture. */
  readonly crop: Rect;
  readonly output: Size;
}

/** Where a box of the upright picture lies in the output; it may lie outside. */
export function inOutput<B extends OutlinedBox>(box: B, { upright, turns, crop, output }: Placement): B {
  const turned = rotateOutline(rotateBox(box, turns, upright), turns);
  const cropped = moveBox(turned, -crop.x, -crop.y);
  return scaleBox(cropped, output.width / crop.width, output.height / crop.height);
}

/** The same output as if its turn were undone, and areas of it with it. */
export interface TurnedBack {
  readonly crop: Rect;
  readonly output: Size;
  area(area: Area): Area;
}

/** How the output lies in the picture before its turn. */
export function turnedBack({ upright, turns, crop, output }: Placement): TurnedBack {
  if (turns === 0) return { crop, output, area: (area) => area };
  const back = (360 - 90 * turns) as QuarterTurn;
  const swaps = turns !== 2;
  const swapped = ({ width, height }: Size): Size =>
    swaps ? { width: height, height: width } : { width, height };
  return {
    crop: turnedRect(crop, swapped(upright), back),
    output: swapped(output),
    area: ({ ellipse, ...rect }) => ({
      ...turnedRect(rect, output, back),
      ...(ellipse && { ellipse: turnedRect(ellipse, output, back) }),
    }),
  };
}

/**
 * How the output's pixels lie in a raster of a part of the picture.
 * @param factor by which its decoder has shrunk the picture
 * @param cut the raster's first pixel, in the shrunk picture
 */
export const viewIn = (
  { crop, output }: Pick<Placement, 'crop' | 'output'>,
  factor: number,
  cut: { readonly x: number; readonly y: number },
): OutputView => ({
  across: crop.width / output.width / factor,
  down: crop.height / output.height / factor,
  left: crop.x / factor - cut.x,
  top: crop.y / factor - cut.y,
});
