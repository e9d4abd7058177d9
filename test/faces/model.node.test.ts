import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { model } from '../../src/faces/model.ts';

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
