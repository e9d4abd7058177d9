import { describe, expect, it } from 'vitest';
import { FIELD, photo, serialIn } from './sony_photo.ts';

describe('enciphered serial numbers of Sony', () => {
  it('are read where they stand, by camera', () => {
    const plain = new Uint8Array(FIELD);
    plain.set([0x01, 0x5a, 0xf8, 0xff, 0x20, 0x9c], 0x88);
    expect(serialIn(photo('ILCE-7M3', plain))).toBe('015af8ff209c');
    expect(serialIn(photo('ILCE-1', plain))).toBe('f8ff209c0000');
    expect(serialIn(photo('ILCE-7M2', plain))).toBeUndefined();
    expect(serialIn(photo('DSC-RX100', plain))).toBeUndefined();
    expect(serialIn(photo('ILCE-7M3', plain.subarray(0, 0x8d)))).toBeUndefined();
  });
});
