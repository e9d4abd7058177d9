import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judged, model } from '../../src/faces/model.ts';

const card = () => readFileSync('models/README.md', 'utf8');

describe('model', () => {
  it('is the file that the service names and the card describes', () => {
    const file = readFileSync(`models/${model.name}.onnx`);
    const sha256 = createHash('sha256').update(file).digest('hex');
    expect(model.sha256).toBe(sha256);
    expect(card()).toContain(sha256);
    expect(card()).toContain(file.length.toLocaleString('en'));
  });
});

describe('the verifier’s opinion', () => {
  it('says nothing where it is not clear, and orders what is alike by it', () => {
    for (const verdict of [-1, 0.9]) expect(judged(0.3, verdict)).toBe(judged(0.3, 0));
    const logits = [-6, -2, 0, 2, 5].map((verdict) => judged(0.3, verdict));
    expect(logits).toEqual(logits.toSorted((a, b) => a - b));
    expect(logits[0]).toBeLessThan(-5);
    expect(logits[4]).toBeGreaterThan(0.8);
  });
});
