import { expect, inject, it } from 'vitest';
import { pressProfile } from '../fixtures/icc_writer.ts';
import { randomJpeg } from '../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../fixtures/jpeg_writer/writer.ts';
import { profiledJpeg } from '../fixtures/profiled_files.ts';

const { address, key } = inject('sharedWorker');

// What a bundle makes of a WebAssembly module and of a late import shows in a bundle only.
it('the deployed Worker reads CMYK profiles', async () => {
  const sampling = Array.from({ length: 4 }, () => [1, 1] as const);
  const jpeg = writeJpeg(randomJpeg({ width: 40, height: 24, sampling, mode: 'baseline', seed: 5 }));
  const ops = { pixelate: { faces: false }, response: 'json' };
  const answer = await fetch(`${address}/v1/sanitize?ops=${encodeURIComponent(JSON.stringify(ops))}`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${key}` },
    body: profiledJpeg(jpeg, pressProfile()),
  });
  expect(await answer.json()).toMatchObject({
    report: { colour: { from: 'Made press', converted: true }, warnings: [] },
  });
});
