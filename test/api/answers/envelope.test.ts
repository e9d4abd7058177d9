import { describe, expect, it } from 'vitest';
import { base64Between, imageEnvelope } from '../../../src/api/answers/envelope.ts';

describe('base64Between', () => {
  it.each([0, 1, 2, 3, 196_607, 196_608, 196_609, 500_000])(
    'gives the declared length and the base64 of %i bytes',
    (length) => {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31) & 255);
      const body = base64Between('{"é":"', bytes, '"}');
      const text = [...body.chunks].map((chunk) => new TextDecoder().decode(chunk)).join('');
      expect(new TextEncoder().encode(text).length).toBe(body.length);
      expect(text).toBe(`{"é":"${bytes.toBase64()}"}`);
    },
  );
});

describe('imageEnvelope', () => {
  it('is a JSON object with the image as its first member', () => {
    const image = Uint8Array.from({ length: 200_001 }, (_, i) => (i * 7) & 255);
    const { chunks } = imageEnvelope(image, { content_type: 'image/png', report: { warnings: ['"'] } });
    const text = [...chunks].map((chunk) => new TextDecoder().decode(chunk)).join('');
    expect(Object.entries(JSON.parse(text))).toEqual([
      ['image', image.toBase64()],
      ['content_type', 'image/png'],
      ['report', { warnings: ['"'] }],
    ]);
  });
});
