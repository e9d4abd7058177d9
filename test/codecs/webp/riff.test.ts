import { describe, expect, it } from 'vitest';
import { RIFF_HEADER, riffChunks, riffEnd } from '../../../src/codecs/webp/riff.ts';

const text = (value: string) => [...value].map((c) => c.charCodeAt(0));
const u32 = (value: number) => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24];
const riff = (body: number[], trailing: number[] = []) =>
  Uint8Array.from([...text('RIFF'), ...u32(body.length + 4), ...text('WEBP'), ...body, ...trailing]);
const odd = [...text('VP8X'), ...u32(3), 1, 2, 3, 0];
const even = [...text('VP8L'), ...u32(2), 4, 5];

describe('RIFF chunks', () => {
  it('come in order, padding skipped', () => {
    const bytes = riff([...odd, ...even]);
    expect([...riffChunks(bytes, RIFF_HEADER, riffEnd(bytes))]).toEqual([
      { code: 'VP8X', header: 12, start: 20, end: 23 },
      { code: 'VP8L', header: 24, start: 32, end: 34 },
    ]);
  });

  it('end where the RIFF header says, whatever trails', () => {
    const bytes = riff(even, text('PK-not-a-chunk-of-ours'));
    expect([...riffChunks(bytes, RIFF_HEADER, riffEnd(bytes))]).toHaveLength(1);
  });

  it('that promise more than there is are refused', () => {
    const bytes = riff([...text('VP8 '), ...u32(1000), 1]);
    expect(() => [...riffChunks(bytes, RIFF_HEADER, riffEnd(bytes))]).toThrow(
      'promises 1000 bytes but only 1 are left',
    );
    expect(() => riffEnd(bytes.subarray(0, 11))).toThrow('inside its header');
  });
});
