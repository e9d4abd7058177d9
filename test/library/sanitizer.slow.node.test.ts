import { expect, it } from 'vitest';
import { sanitizerOn } from '../../src/library/sanitizer.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { threadsHere } from '../fixtures/threads_here.ts';

it('serves a TIFF and a large JPEG by default, however many cores there are', async () => {
  const { start } = threadsHere();
  const sanitizer = sanitizerOn({ cores: 128, startThread: start }, {});
  for (const format of ['tiff', 'jpeg'] as const) {
    const image = await sampleFile(format, drawPeople(3000, 2000));
    const { report } = await sanitizer.sanitize(image, { pixelate: { faces: false } });
    expect(report.width).toBe(3000);
  }
});
