import { expect, it } from 'vitest';
import { fillInput, placeView } from '../../src/detectors/fill_input.ts';
import { type InputRule, parseManifest } from '../../src/detectors/manifest.ts';

const ruleOf = (input: object): InputRule =>
  parseManifest({ name: 'a', kinds: ['a'], output: { head: 'yolov8' }, input }, 'a').input;

/** Red counts columns, green rows; blue is 9. */
function view(width: number, height: number) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at++) data.set([at % width, Math.floor(at / width), 9, 255], at * 4);
  return { width, height, data };
}

function filled(input: object, width: number, height: number) {
  const rule = ruleOf(input);
  const place = placeView({ width, height }, rule);
  const values = new Float32Array(place.width * place.height * 3).fill(Number.NaN);
  fillInput(values, view(width, height), place, rule);
  const at = (x: number, y: number) =>
    [0, 1, 2].map((channel) =>
      rule.layout === 'nchw'
        ? values[(channel * place.height + y) * place.width + x]
        : values[(y * place.width + x) * 3 + channel],
    );
  return { place, values, at };
}

it('rounds a free input up to its multiple, and pads what lies beside the picture', () => {
  const { place, values, at } = filled({ multiple: 8, padding: 7 }, 10, 5);
  expect(place).toMatchObject({ width: 16, height: 8, across: 1, left: 0 });
  expect(at(9, 4)).toEqual([9, 4, 9]);
  expect(at(10, 4)).toEqual([7, 7, 7]);
  expect(values.every((value) => !Number.isNaN(value))).toBe(true);
});

it('keeps to colour order, mean, scale and layout', () => {
  const rule = { multiple: 1, colour: 'bgr', mean: [1, 2, 3], scale: [1, 10, 100], layout: 'nhwc' };
  expect(filled(rule, 4, 4).at(3, 2)).toEqual([8, 0, 0]);
});

it.each([
  ['corner', { left: 0, top: 0, across: 0.5 }],
  ['centre', { left: 0, top: 16, across: 0.5 }],
  ['stretch', { left: 0, top: 0, across: 0.5, down: 1 }],
] as const)('places a larger view by %s', (letterbox, expected) => {
  const { place, at } = filled({ width: 64, height: 64, letterbox, padding: 255 }, 128, 64);
  expect(place).toMatchObject(expected);
  // Bilinear: the middle between two columns.
  expect(at(10, place.top + 3)[0]).toBeCloseTo(20.5, 5);
});

it('never enlarges a smaller view', () => {
  const { place, at } = filled({ width: 64, height: 64, letterbox: 'centre' }, 32, 16);
  expect(place).toMatchObject({ across: 1, left: 16, top: 24 });
  expect(at(16, 24)).toEqual([0, 0, 9]);
  expect(at(47, 39)).toEqual([31, 15, 9]);
});
