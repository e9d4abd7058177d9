import type { Size } from '../codecs/types.ts';
import type { ScoredBox } from './boxes.ts';
import { fillPixel, type Picture } from './tensor.ts';

/** The size that a picture of this size takes when tilted. */
export function tiltedSize({ width, height }: Size, degrees: number): Size {
  const { cos, sin } = turn(degrees);
  return {
    width: Math.ceil(width * Math.abs(cos) + height * Math.abs(sin)),
    height: Math.ceil(width * Math.abs(sin) + height * Math.abs(cos)),
  };
}

/**
 * Fills a model input with a picture (all of its rows held) tilted clockwise, bilinear; the rest is 0.
 * @param size of the input, both sides multiples of 32
 */
export function fillTilted(tensor: Float32Array, picture: Picture, degrees: number, size: Size): void {
  const { width, height } = picture;
  const { cos, sin } = turn(degrees);
  const tilted = tiltedSize(picture, degrees);
  tensor.fill(0, 0, 3 * size.width * size.height);
  for (let y = 0; y < tilted.height; y++) {
    const down = y + 0.5 - tilted.height / 2;
    for (let x = 0; x < tilted.width; x++) {
      const right = x + 0.5 - tilted.width / 2;
      const fromX = right * cos + down * sin + width / 2 - 0.5;
      const fromY = down * cos - right * sin + height / 2 - 0.5;
      if (fromX < -0.5 || fromY < -0.5 || fromX > width - 0.5 || fromY > height - 0.5) continue;
      fillPixel(tensor, size, y * size.width + x, picture, fromX, fromY);
    }
  }
}

/**
 * Moves a box from the tilted picture back to the untilted one. The result is the upright box around the
 * ellipse that fills the box, since faces are rounder than boxes.
 */
export function untiltBox(box: ScoredBox, degrees: number, picture: Size): ScoredBox {
  const { cos, sin } = turn(degrees);
  const tilted = tiltedSize(picture, degrees);
  const right = box.x + box.w / 2 - tilted.width / 2;
  const down = box.y + box.h / 2 - tilted.height / 2;
  const w = Math.hypot(box.w * cos, box.h * sin);
  const h = Math.hypot(box.w * sin, box.h * cos);
  const x = right * cos + down * sin + picture.width / 2 - w / 2;
  const y = down * cos - right * sin + picture.height / 2 - h / 2;
  return { ...box, x, y, w, h };
}

function turn(degrees: number): { cos: number; sin: number } {
  const angle = (degrees * Math.PI) / 180;
  return { cos: Math.cos(angle), sin: Math.sin(angle) };
}
