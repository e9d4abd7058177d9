import { expect, it } from 'vitest';
import { cleanedLine, detectedLine } from '../../src/cli/result_text.ts';
import { detect, sanitize } from '../../src/library/index.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { sampleFile } from '../fixtures/samples.ts';

const photo = await sampleFile('png', drawPeople(60, 40));
const spot = { x: 10.6, y: 3, w: 5, h: 7.5, confidence: 0.4567 };

it('says what is hidden, what deserves a look, and all warnings', async () => {
  const { report } = await sanitize(photo, { pixelate: { regions: [{ x: 0, y: 0, w: 2, h: 4 }] } });
  expect(cleanedLine('a.png', 'b.jpg', report, true)).toBe(
    'a.png → b.jpg, 60 × 40: 0 faces hidden; 1 region hidden; no faces found; detection is not exhaustive',
  );
  const found = { ...report, facesDetected: 1, belowConfidence: [spot, spot], warnings: ['one', 'two'] };
  expect(cleanedLine('a', 'b', { ...found, regionsPixelated: 0 }, true)).toBe(
    'a → b, 60 × 40: 1 face hidden; 2 spots not hidden, perhaps faces (10,3,6,8 10,3,6,8); one; two',
  );
  const asked = { ...report, facesDetected: 2, facesSpared: 1, regionsFilled: 2 };
  expect(cleanedLine('a', 'b', { ...asked, warnings: [] }, true)).toBe(
    'a → b, 60 × 40: 1 face hidden; 1 face left visible; 3 regions hidden',
  );
  const { report: blind } = await sanitize(photo, { pixelate: { faces: false } });
  expect(cleanedLine('a', 'b', blind, false)).toBe('a → b, 60 × 40: faces not looked for');
});

it('says how many faces there are, and lists spots where they are asked for', async () => {
  const result = await detect(photo);
  expect(detectedLine('a', result)).toBe('a: 0 faces');
  expect(detectedLine('a', { ...result, count: 1, belowConfidence: [spot] })).toBe(
    'a: 1 face; 1 spot below the confidence asked for (10,3,6,8 at 0.46)',
  );
  expect(detectedLine('a', { ...result, belowConfidence: [] })).toBe(
    'a: 0 faces; 0 spots below the confidence asked for',
  );
});
