import { crc32, deflateSync } from 'node:zlib';

/** The icon's colours: ground, then its four squares from the upper left, as in src/playground/icon.svg. */
const COLOURS = [0x1c1a17, 0xf4f1ea, 0xa49c8d, 0x6d665a, 0xd8d1c3];
/** Edges of the squares, in sixteenths of the side. */
const [START, MIDDLE, END] = [3, 8, 13];

/**
 * The icon as a PNG with a palette, for systems that can't draw SVG: it fills its corners, so that it can be
 * cropped to any shape.
 * @param {number} side in pixels
 */
export function iconPng(side) {
  const rows = Buffer.alloc(side * (side + 1));
  const at = (pixel) => ((pixel + 0.5) * 16) / side;
  const inside = (place) => place >= START && place < END;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const [left, top] = [at(x), at(y)];
      const square = 1 + (left >= MIDDLE ? 1 : 0) + (top >= MIDDLE ? 2 : 0);
      rows[y * (side + 1) + 1 + x] = inside(left) && inside(top) ? square : 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const palette = Buffer.from(COLOURS.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A chunk of PNG (third edition, section 5.3). */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
