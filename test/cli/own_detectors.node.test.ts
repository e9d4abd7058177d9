import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readArguments } from '../../src/cli/arguments.ts';
import { CallError } from '../../src/cli/call_error.ts';
import { withDetectors } from '../../src/cli/own_detectors.ts';
import { stains } from '../fixtures/onnx_networks.ts';
import { sampleFile } from '../fixtures/samples.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'detectors-'));
  const { manifest } = stains;
  await writeFile(join(folder, 'stains.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'stains.onnx'), stains.model());
  await writeFile(join(folder, 'lost.json'), JSON.stringify({ ...manifest, name: 'lost' }));
  await writeFile(join(folder, 'odd.json'), '{"name": "Odd", "kinds": []}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** White, with a red square of 16 pixels at (40, 24). */
function stained() {
  const pixels = new Uint8Array(96 * 64 * 4).fill(255);
  for (let y = 24; y < 40; y++) {
    for (let x = 40; x < 56; x++) pixels.set([220, 10, 10], (y * 96 + x) * 4);
  }
  return sampleFile('png', { width: 96, height: 64, pixels });
}

it('runs clean and detect with detectors of one’s own', async () => {
  using calls = await withDetectors([join(folder, 'stains.json')], 200e6);
  const { report } = await calls.sanitize(await stained(), { pixelate: { faces: false } });
  expect(report.detected).toMatchObject([{ detector: 'stains', kind: 'stain', w: 17.6, h: 17.6 }]);
  const { boxes, count } = await calls.detect(await stained());
  expect([boxes!.length, count]).toEqual([1, 0]);
  expect(await calls.inspect(await stained())).toMatchObject({ format: 'png' });
});

it.each([
  [['lost.json'], /--detector .*lost\.json: .*lost\.onnx/],
  [['none.json'], /ENOENT/],
  [['odd.json'], /name: .*kinds: /],
  [['stains.png'], /Expected the path of a manifest/],
  [['stains.json', 'stains.onnx'], /two are called stains/],
])('says what is wrong with %j', async (names, message) => {
  const opening = withDetectors(
    names.map((name) => join(folder, name)),
    200e6,
  );
  await expect(opening).rejects.toThrow(message);
  await expect(opening).rejects.toBeInstanceOf(CallError);
});

it('takes the option once for each, and not where nothing is looked for', () => {
  const asked = readArguments(['clean', 'a.jpg', '--detector', 'a.json', '--detector', 'b.json'], '');
  expect(asked).toMatchObject({ files: { detectors: ['a.json', 'b.json'] } });
  expect(readArguments(['inspect', 'a.jpg', '--detector', 'a.json'], '')).toMatchObject({ exitCode: 2 });
});
