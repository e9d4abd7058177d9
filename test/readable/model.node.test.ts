import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Box } from '../../src/faces/boxes.ts';
import { createReadableDetector } from '../../src/readable/detector.ts';
import { readingModel } from '../../src/readable/model.ts';
import { coverOf } from '../../src/readable/outline.ts';
import { readingNetwork } from '../../src/readable/reading_network.ts';
import { drawLine } from '../fixtures/block_letters.ts';
import { type Picture, photoPicture, rasterOf } from '../fixtures/raster.ts';

const file = readFileSync('models/readable_detector.onnx');
const detector = createReadableDetector(readingNetwork(async () => new Uint8Array(file).buffer));
const least = new Map([['text', readingModel.confidence.text] as const]);

/** The share of an area that boxes cover. */
function covered(area: Box, boxes: readonly Box[]): number {
  let inside = 0;
  for (let y = area.y; y < area.y + area.h; y++) {
    for (let x = area.x; x < area.x + area.w; x++) {
      if (boxes.some((box) => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h)) inside++;
    }
  }
  return inside / (area.w * area.h);
}

const blank = (width: number, height: number): Picture => ({
  width,
  height,
  pixels: new Uint8Array(width * height * 4).fill(255),
});

describe('readable_detector', () => {
  it.each([2, 3, 4])('finds each line of a page, letters of 7 × %i pixels', async (dot) => {
    const page = blank(900, 640);
    const texts = ['INTERNAL MEMO 2274', 'NAME ALEX HOLT', 'PHONE 4472 7724', 'HOME TO BOSTON ON TUESDAY'];
    const lines = texts.map((text, index) => drawLine(page, text, 60, 60 + index * 140, dot));
    const found = await detector.read(rasterOf(page), { least, effort: 'thorough' });
    const boxes = found.flatMap((box) => coverOf(box, page));
    for (const [index, line] of lines.entries()) {
      expect(covered(line, boxes), texts[index]).toBeGreaterThan(0.9);
    }
    const area = boxes.reduce((sum, { w, h }) => sum + w * h, 0);
    expect(area).toBeLessThan(0.25 * page.width * page.height);
  });

  it('finds nothing in what has no text', async () => {
    const picture = photoPicture(800, 600);
    expect(await detector.read(rasterOf(picture), { least, effort: 'thorough' })).toEqual([]);
  });
});
