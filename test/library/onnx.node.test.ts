import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as ort from 'onnxruntime-web';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Detector, View } from '../../src/detectors/detector.ts';
import { detect, sanitize } from '../../src/library/index.ts';
import { type ManifestInput, onnxDetector } from '../../src/library/onnx.ts';
import { mapNetwork, yoloNetwork } from '../fixtures/onnx_networks.ts';
import { sampleFile } from '../fixtures/samples.ts';

const red = { channels: [30, -30, -30], bias: -10 } as const;
const networks: Record<string, () => Uint8Array> = {
  plates: () => yoloNetwork(red, 64, 8),
  stains: () => mapNetwork(red, 4),
};

/** The manifests that docs/detectors.md prints. */
const examples = [
  ...readFileSync('docs/detectors.md', 'utf8').matchAll(/```json\n(\{\n {2}"name"[^`]+)```/g),
].map(([, text]) => JSON.parse(text!) as ManifestInput);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onnx-'));
  for (const manifest of examples) {
    await writeFile(join(folder, `${manifest.name}.json`), JSON.stringify(manifest));
    const made = networks[manifest.name];
    if (made) await writeFile(join(folder, `${manifest.name}.onnx`), made());
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Grey, with a red square of 16 pixels at (64, 32). */
function marked() {
  const pixels = new Uint8Array(128 * 96 * 4).fill(140);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  for (let y = 32; y < 48; y++) {
    for (let x = 64; x < 80; x++) pixels.set([230, 5, 5], (y * 128 + x) * 4);
  }
  return sampleFile('png', { width: 128, height: 96, pixels });
}

const off = { pixelate: { faces: false } };

describe('the examples of docs/detectors.md', () => {
  it('are three', () => {
    expect(examples.map(({ name }) => name)).toEqual(['yunet', 'plates', 'stains']);
  });

  it.each(['plates', 'stains'])('%s finds what its network knows, by path, URL and parts', async (name) => {
    const { manifest, model } = {
      manifest: examples.find((one) => one.name === name)!,
      model: networks[name]!(),
    };
    const path = join(folder, `${name}.onnx`);
    const answers = [];
    for (const source of [
      path,
      pathToFileURL(path),
      { manifest, model: new Blob([model as Uint8Array<ArrayBuffer>]) },
    ]) {
      const detector = await onnxDetector(source);
      const { report, bytes } = await sanitize(await marked(), off, { detectors: [detector] });
      answers.push(createHash('sha256').update(bytes).digest('hex'));
      expect(report.detected!.every(({ detector: by }) => by === name)).toBe(true);
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      expect(
        [...data.subarray((40 * info.width + 72) * 3, (40 * info.width + 72) * 3 + 3)].every(
          (value) => value < 12,
        ),
      ).toBe(true);
      await detector.release();
    }
    expect(new Set(answers).size).toBe(1);
  });
});

it('takes another runtime, and a hash', async () => {
  const model = networks.stains!();
  const sha256 = createHash('sha256').update(model).digest('hex');
  const manifest = { ...examples[2]!, sha256 };
  const detector = await onnxDetector({ manifest, model }, { runtime: ort as never });
  await detector.release();
  const changed = model.slice();
  changed[changed.length - 1]! ^= 1;
  await expect(onnxDetector({ manifest, model: changed })).rejects.toThrow(/sha256: Expected/);
});

it('refuses a manifest that names a file elsewhere, is no JSON, or is too long', async () => {
  await writeFile(join(folder, 'up.json'), JSON.stringify({ ...examples[2], model: '../stains.onnx' }));
  await writeFile(join(folder, 'no.json'), 'name: plates');
  await writeFile(join(folder, 'long.json'), ' '.repeat(70_000));
  await expect(onnxDetector(join(folder, 'up.json'))).rejects.toThrow(/beside the manifest/);
  await expect(onnxDetector(join(folder, 'no.json'))).rejects.toThrow(/manifest in JSON/);
  await expect(onnxDetector(join(folder, 'long.json'))).rejects.toThrow(/at most 65536 bytes/);
});

describe('any object with the interface', () => {
  const corner: Detector = {
    name: 'corner',
    kinds: ['mark'],
    detect: ({ width, height }: View) => [
      { x: 0, y: 0, w: width / 4, h: height / 4, confidence: 1, kind: 'mark' },
    ],
  };

  it('hides and lists, and is used unless the ops name others', async () => {
    const { report } = await sanitize(await marked(), off, { detectors: [corner] });
    expect(report.detected).toHaveLength(1);
    const without = { pixelate: { faces: false, detectors: { corner: false } } };
    expect((await sanitize(await marked(), without, { detectors: [corner] })).report.detected).toEqual([]);
    expect((await detect(await marked(), {}, { detectors: [corner] })).boxes).toHaveLength(1);
  });

  it('is checked: all that is wrong at once', async () => {
    const wrong = { ...corner, name: 'No Name', kinds: [], detect: 1, views: [{ tiles: 1 }] } as never;
    await expect(sanitize(await marked(), off, { detectors: [wrong] })).rejects.toThrow(
      /name: .*kinds: .*views: .*detect: /,
    );
    await expect(sanitize(await marked(), off, { detectors: [corner, corner] })).rejects.toThrow(/before it/);
  });
});
