import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ort from 'onnxruntime-web';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { type ManifestInput, onnxDetector } from '../../src/library/onnx.ts';
import { corpusFolder, corpusPresent } from '../fixtures/corpus.ts';

/** A public face detector that lies beside the corpus. */
const model = join(corpusFolder, '..', 'models', 'yardstick', 'yunet_n_dynamic.onnx');

/** As docs/detectors.md prints it. */
const manifest: ManifestInput = {
  name: 'yunet',
  kinds: ['face'],
  confidence: 0.6,
  sameBox: 0.3,
  views: [{ whole: 640 }, { tiles: 640, overlap: 64 }],
  input: { colour: 'bgr', multiple: 32 },
  output: { head: 'yunet', threshold: 0.3 },
};

it.skipIf(!corpusPresent)(
  'YuNet gives the boxes that its definition says, within 0.5 px and 0.001',
  async () => {
    const detector = await onnxDetector({ manifest, model: readFileSync(model) }, { runtime: ort as never });
    const session = await ort.InferenceSession.create(readFileSync(model), { logSeverityLevel: 4 });
    for (const name of ['dlib__2008_002079.jpg', 'dlib__2008_002506.jpg']) {
      const { data, info } = await sharp(join(corpusFolder, 'faces', name))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const { width, height } = info;
      const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
      for (let at = 0; at < width * height; at++)
        for (let c = 0; c < 3; c++) rgba[at * 4 + c] = data[at * 3 + c]!;
      const found = (await detector.detect({ width, height, data: rgba })).filter(
        ({ confidence }) => confidence >= 0.6,
      );
      const expected = await plainYunet(session, data, width, height);
      expect(found.length).toBeGreaterThan(1);
      expect(found).toHaveLength(expected.length);
      for (const [at, box] of expected.entries()) {
        for (const side of ['x', 'y', 'w', 'h'] as const)
          expect(Math.abs(found[at]![side] - box[side])).toBeLessThan(0.5);
        expect(Math.abs(found[at]!.confidence - box.confidence)).toBeLessThan(0.001);
      }
    }
    await detector.release();
  },
);

/** YuNet's decoding as its paper has it, written plainly: every cell, then greedy suppression. */
async function plainYunet(session: ort.InferenceSession, rgb: Uint8Array, width: number, height: number) {
  const [w, h] = [Math.ceil(width / 32) * 32, Math.ceil(height / 32) * 32];
  const planes = new Float32Array(3 * w * h);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) planes[c * w * h + y * w + x] = rgb[(y * width + x) * 3 + (2 - c)]!;
    }
  }
  const outputs = await session.run({ input: new ort.Tensor('float32', planes, [1, 3, h, w]) });
  const value = (name: string, at: number) => (outputs[name]!.data as Float32Array)[at]!;
  const boxes: { x: number; y: number; w: number; h: number; confidence: number }[] = [];
  for (const stride of [8, 16, 32]) {
    for (let row = 0; row < h / stride; row++) {
      for (let column = 0; column < w / stride; column++) {
        const cell = (row * w) / stride + column;
        const confidence = Math.sqrt(value(`cls_${stride}`, cell) * value(`obj_${stride}`, cell));
        const bw = Math.exp(value(`bbox_${stride}`, 4 * cell + 2)) * stride;
        const bh = Math.exp(value(`bbox_${stride}`, 4 * cell + 3)) * stride;
        const cx = (column + value(`bbox_${stride}`, 4 * cell)) * stride;
        const cy = (row + value(`bbox_${stride}`, 4 * cell + 1)) * stride;
        boxes.push({ x: cx - bw / 2, y: cy - bh / 2, w: bw, h: bh, confidence });
      }
    }
  }
  boxes.sort((a, b) => b.confidence - a.confidence);
  const kept: typeof boxes = [];
  for (const box of boxes.filter(({ confidence }) => confidence >= 0.6)) {
    const covers = (other: (typeof boxes)[number]) => {
      const across = Math.min(box.x + box.w, other.x + other.w) - Math.max(box.x, other.x);
      const down = Math.min(box.y + box.h, other.y + other.h) - Math.max(box.y, other.y);
      if (across <= 0 || down <= 0) return false;
      return (across * down) / (box.w * box.h + other.w * other.h - across * down) > 0.3;
    };
    if (!kept.some(covers)) kept.push(box);
  }
  return kept;
}
