import { describe, expect, it } from 'vitest';
import {
  chosenKinds,
  type Found,
  inReadingOrder,
  turnedFound,
} from '../../../src/playground/settings/things.ts';

const found = (x: number, y: number, more: Partial<Found> = {}): Found => ({
  x,
  y,
  w: 40,
  h: 20,
  confidence: 0.9,
  hidden: true,
  ...more,
});

describe('things beside faces', () => {
  it('are of the kinds that are ticked', () => {
    expect(chosenKinds({ plates: false, text: false, detectors: [] })).toEqual([]);
    expect(chosenKinds({ plates: true, text: true, detectors: ['logos'] })).toEqual([
      'plate',
      'text',
      'logos',
    ]);
  });

  it('are read by lines, whose words stand a little higher or lower', () => {
    const [a, b, c, d] = [found(10, 12), found(100, 10), found(200, 14), found(5, 40)];
    expect(inReadingOrder([d!, c!, b!, a!])).toEqual([a, b, c, d]);
  });

  it('turn with the picture, corners and all', () => {
    const size = { width: 200, height: 100 };
    const outline = [
      { x: 0, y: 0.5 },
      { x: 0.75, y: 0 },
      { x: 1, y: 0.5 },
      { x: 0.25, y: 1 },
    ];
    const line = found(20, 10, { outline, kind: 'text' });
    const turned = turnedFound(line, size, 90);
    expect(turned).toMatchObject({ kind: 'text', x: 70, y: 20, w: 20, h: 40 });
    // What was at the left is at the top.
    expect(turned.outline![0]).toEqual({ x: 0.5, y: 0 });
    expect(
      turnedFound(turnedFound(turned, { width: 100, height: 200 }, 180), { width: 100, height: 200 }, 90),
    ).toEqual(line);
  });
});
