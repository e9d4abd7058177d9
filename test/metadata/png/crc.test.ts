import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { crc32, slicedCrc32 } from '../../../src/metadata/png/crc.ts';
import { bytes } from '../../fixtures/bytes.ts';

/** CRC-32 as PNG annex D computes it, bit by bit: slow, and independent of the one it tests. */
function slowCrc(data: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of data) {
    c ^= byte;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return ~c >>> 0;
}

describe.each([
  ['crc32', crc32],
  ['slicedCrc32', slicedCrc32],
])('%s', (_name, crc) => {
  it('gives the check value of CRC-32/ISO-HDLC', () => {
    expect(crc(bytes('123456789'), 0, 9)).toBe(0xcbf43926);
    expect(slowCrc(bytes('123456789'))).toBe(0xcbf43926);
  });

  it('goes on from the CRC of what stands before', () => {
    const text = bytes('123456789');
    for (let cut = 0; cut <= 9; cut++) expect(crc(text, cut, 9, crc(text, 0, cut))).toBe(0xcbf43926);
    expect(crc(text)).toBe(0xcbf43926);
  });

  it('agrees with the definition wherever the bytes begin in memory', () => {
    const memory = Uint8Array.from({ length: 64 }, (_, n) => n * 37);
    for (let offset = 0; offset < 8; offset++) {
      for (let start = 0; start < 5; start++) {
        const view = memory.subarray(offset);
        expect(crc(view, start, 50)).toBe(slowCrc(view.subarray(start, 50)));
      }
    }
  });

  it('agrees with the definition for every length and place', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 99 }), fc.nat(99), fc.nat(99), (data, a, b) => {
        const start = Math.min(a, data.length);
        const end = Math.max(start, Math.min(b, data.length));
        expect(crc(data, start, end)).toBe(slowCrc(data.subarray(start, end)));
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});

describe('crc32 in another runtime', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  const crcWhere = async (process: unknown) => {
    vi.stubGlobal('process', process);
    vi.resetModules();
    return (await import('../../../src/metadata/png/crc.ts')).crc32;
  };

  it('is computed where there is no zlib, as in a page', async () => {
    const crc = await crcWhere(undefined);
    const whole = bytes('123456789');
    expect(crc(whole, 4, 9, crc(whole, 0, 4))).toBe(0xcbf43926);
  });

  it('adds nothing for no bytes by a zlib that forgets what stands before them: Node 20.19 to 24.12', async () => {
    const forgetful = (part: Uint8Array, before = 0) =>
      part.buffer.byteLength === 0 ? 0 : slicedCrc32(part, 0, part.length, before);
    const getBuiltinModule = vi.fn(() => ({ crc32: forgetful }));
    const byZlib = await crcWhere({ getBuiltinModule });
    expect(getBuiltinModule).toHaveBeenCalledWith('node:zlib');
    const whole = bytes('123456789');
    const before = byZlib(whole, 0, 4);
    expect(byZlib(new Uint8Array(0), 0, 0, before)).toBe(before);
    expect(byZlib(whole, 4, 4, before)).toBe(before);
    expect(byZlib(new Uint8Array(0))).toBe(0);
    expect(byZlib(whole, 4, 9, before)).toBe(0xcbf43926);
  });
});
