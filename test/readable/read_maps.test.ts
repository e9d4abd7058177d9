import { describe, expect, it } from 'vitest';
import { type MapKind, mapKinds } from '../../src/readable/model.ts';
import { readMaps, type SeenBox } from '../../src/readable/read_maps.ts';

const side = 32;

/** What is seen in a map whose middle, 12 × 4 cells, is sure, with a rim of two cells that is not. */
function seen(kind: MapKind, rim: number): SeenBox[] {
  const values = new Float32Array(side * side * mapKinds.length);
  const paint = (x: number, y: number, w: number, h: number, value: number) => {
    for (let row = y; row < y + h; row++)
      for (let column = x; column < x + w; column++)
        values[(row * side + column) * mapKinds.length + mapKinds.indexOf(kind)] = value;
  };
  paint(8, 12, 16, 8, rim);
  paint(10, 14, 12, 4, 0.9);
  const reading = readMaps({ width: side, height: side, values }, new Map([[kind, 0.3]]));
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

describe('boxes of a map', () => {
  it('takes in the pale rim of a plate, and not the gap between two lines', () => {
    const [plate] = seen('plate', 0.15);
    const [text] = seen('text', 0.15);
    // Cells of 4 pixels; a third of the height and a pixel more on each side.
    expect(2 * plate!.box.short).toBeCloseTo(32 + 2 * (32 / 3 + 1));
    expect(2 * text!.box.short).toBeCloseTo(16 + 2 * (16 / 3 + 1));
    expect(plate!.kind).toBe('plate');
  });

  it('counts what is less than a rim for neither', () => {
    for (const kind of mapKinds) expect(seen(kind, 0.05)[0]!.confidence).toBeCloseTo(0.9);
  });
});
