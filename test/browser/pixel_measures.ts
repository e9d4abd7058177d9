import sharp from 'sharp';
import type { Picture } from '../fixtures/raster.ts';

/** Upright pixels of a file, decoded by sharp. */
export async function pixelsOf(file: Buffer): Promise<Picture> {
  const { data, info } = await sharp(file).rotate().ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: new Uint8Array(data) };
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The rectangle grown to whole blocks of a grid that starts at the origin. */
export function alignToBlocks({ x, y, w, h }: Rectangle, block: number): Rectangle {
  const left = Math.floor(x / block) * block;
  const top = Math.floor(y / block) * block;
  return {
    x: left,
    y: top,
    w: Math.ceil((x + w) / block) * block - left,
    h: Math.ceil((y + h) / block) * block - top,
  };
}

/**
 * Largest difference of any channel from its block's mean, over the whole blocks of a rectangle: 0 to 255; 0
 * if every block is flat.
 */
export function maxBlockDeviation(picture: Picture, area: Rectangle, block: number): number {
  const { x, y, w, h } = alignToBlocks(area, block);
  let worst = 0;
  for (let top = y; top < Math.min(y + h, picture.height); top += block) {
    for (let left = x; left < Math.min(x + w, picture.width); left += block) {
      for (let channel = 0; channel < 3; channel++) {
        const values: number[] = [];
        for (let row = top; row < Math.min(top + block, picture.height); row++) {
          for (let column = left; column < Math.min(left + block, picture.width); column++) {
            values.push(picture.pixels[(row * picture.width + column) * 4 + channel]!);
          }
        }
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        for (const value of values) worst = Math.max(worst, Math.abs(value - mean));
      }
    }
  }
  return worst;
}

/**
 * Share of horizontal neighbours that differ by more than 6 in some channel, 0 to 1: high for a photo's
 * detail, low for large flat blocks.
 */
export function detail({ width, pixels }: Picture, { x, y, w, h }: Rectangle): number {
  let differing = 0;
  let count = 0;
  for (let row = y; row < y + h; row++) {
    for (let column = x; column < x + w - 1; column++) {
      const at = (row * width + column) * 4;
      const apart = [0, 1, 2].map((channel) => Math.abs(pixels[at + channel]! - pixels[at + 4 + channel]!));
      if (Math.max(...apart) > 6) differing++;
      count++;
    }
  }
  return differing / count;
}

/** Red, green and blue of a pixel, 0 to 255. */
export const colourAt = ({ width, pixels }: Picture, x: number, y: number): number[] => [
  ...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
];

/** The highest value of any channel in a rectangle without its rim of 4 pixels: 0 where all is black. */
export function brightest(picture: Picture, { x, y, w, h }: Rectangle): number {
  let most = 0;
  for (let row = Math.ceil(y) + 4; row < y + h - 4; row++) {
    for (let column = Math.ceil(x) + 4; column < x + w - 4; column++)
      most = Math.max(most, ...colourAt(picture, column, row));
  }
  return most;
}

/** Mean and largest difference of two pictures of the same size, outside the excluded areas. */
export function difference(
  a: Picture,
  b: Picture,
  excluded: readonly Rectangle[],
): { mean: number; max: number } {
  let sum = 0;
  let count = 0;
  let max = 0;
  for (let y = 0; y < a.height; y++) {
    for (let x = 0; x < a.width; x++) {
      if (excluded.some((area) => x >= area.x && x < area.x + area.w && y >= area.y && y < area.y + area.h))
        continue;
      for (let channel = 0; channel < 3; channel++) {
        const at = (y * a.width + x) * 4 + channel;
        const apart = Math.abs(a.pixels[at]! - b.pixels[at]!);
        sum += apart;
        count++;
        max = Math.max(max, apart);
      }
    }
  }
  return { mean: sum / count, max };
}
