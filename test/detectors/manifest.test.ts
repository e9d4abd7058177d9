import { expect, it } from 'vitest';
import { DetectorError } from '../../src/detectors/detector.ts';
import { parseManifest } from '../../src/detectors/manifest.ts';

const least = { name: 'plates', kinds: ['plate'], output: { head: 'yolov8' } };

it('fills in what a short manifest leaves out', () => {
  expect(parseManifest(least, 'plates.json')).toMatchObject({
    confidence: 0.5,
    views: [{ whole: 640 }],
    input: { layout: 'nchw', multiple: 32, mean: 0, scale: 1 },
    output: { head: 'yolov8', threshold: 0.25, activation: 'none' },
  });
});

it('tells all that is wrong at once', () => {
  const wrong = {
    ...least,
    name: 'Plates!',
    kinds: [null],
    views: [{ tiles: 8 }],
    input: { width: 640, colour: 'cmyk' },
    output: { head: 'yolov8', threshold: 2 },
    more: 1,
  };
  try {
    parseManifest(wrong, 'plates.json');
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(DetectorError);
    const { problems } = error as DetectorError;
    for (const path of ['name', 'views.0', 'input.colour', 'output.threshold', 'manifest']) {
      expect(problems.some((problem) => problem.startsWith(path))).toBe(true);
    }
  }
});

it.each([
  ['no kind that counts', { ...least, kinds: [null] }, /kinds: Expected a kind that counts/],
  ['half a size', { ...least, input: { width: 640 } }, /width and height, or neither/],
  ['a head that nobody has', { ...least, output: { head: 'vit' } }, /output/],
  ['strides without a place', { ...least, output: { head: 'yunet', boxes: 'b' } }, /\{stride\}/],
  ['no object', 'plates', /manifest/],
])('refuses %s', (_, value, message) => {
  expect(() => parseManifest(value, 'plates.json')).toThrow(message);
});
