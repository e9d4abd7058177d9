import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judged, model, tileModel } from '../../src/faces/model.ts';

const card = () => readFileSync('models/README.md', 'utf8');

describe('model', () => {
  it.each([model, tileModel])('$name is the file that the service names and the card describes', (named) => {
    const file = readFileSync(`models/${named.name}.onnx`);
    const sha256 = createHash('sha256').update(file).digest('hex');
    expect(named.sha256).toBe(sha256);
    expect(card()).toContain(sha256);
    expect(card()).toContain(file.length.toLocaleString('en'));
  });
});

describe('the verifier’s logit', () => {
  it('says nothing where it is not clear, and orders what is alike by it', () => {
    const unclear = judged(0.3, { animal: 0.6, other: 0, sharpness: 1 });
    for (const other of [-9, -1, 0.9]) expect(judged(0.3, { animal: 9, other, sharpness: 1 })).toBe(unclear);
    for (const [animal, other] of [
      [true, false],
      [false, true],
    ]) {
      const verdict = (odds: number) => ({
        animal: animal ? odds : 9,
        other: other ? odds : 9,
        sharpness: 1,
      });
      const logits = [-6, -2, 0, 2, 5].map((odds) => judged(0.3, verdict(odds)));
      expect(logits).toEqual(logits.toSorted((a, b) => a - b));
      expect(logits[4]).toBeGreaterThan(unclear + 1);
    }
    expect(judged(0.3, { animal: -4, other: 9, sharpness: 1 })).toBeLessThan(-5);
  });

  it('refuses the less the blurrier the crop is', () => {
    const logits = [1, 0.5, 0.25, 0].map((sharpness) => judged(0.3, { animal: -4, other: 9, sharpness }));
    expect(logits).toEqual(logits.toSorted((a, b) => a - b));
  });

  it('takes off and adds less for what is seen only tilted than upright, and refuses it as much', () => {
    const unclear = { animal: 0.5, other: 9, sharpness: 1 };
    const refused = { ...unclear, animal: -1.5 };
    for (const turned of [35, -35]) {
      expect(judged(0.3, undefined, turned)).toBe(0.3);
      expect(judged(0.3, unclear, turned)).toBeCloseTo(0.3, 9);
      expect(judged(0.3, refused, turned)).toBeCloseTo(0.3 - 3, 9);
    }
    expect(judged(0.3, unclear, 270)).toBeCloseTo(0.3 + 1.5, 9);
    expect(judged(0.3, unclear)).toBeLessThan(judged(0.3, unclear, 270));
  });
});
