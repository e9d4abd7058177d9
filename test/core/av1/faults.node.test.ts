import { describe, expect, it } from 'vitest';
import { av1Fault } from '../../../src/core/av1/faults.ts';
import { av1Facts } from '../../../src/core/av1/picture.ts';
import { Fault } from '../../../src/faults.ts';
import * as Code from '../../../wasm/assembly/av1/faults.ts';
import { readAv1 } from '../../fixtures/av1/av1_reader.ts';
import { keptStream } from '../../fixtures/av1/kept_streams.ts';
import { obusBySharp } from '../../fixtures/avif_files.ts';
import { photoPicture } from '../../fixtures/raster.ts';

const faultOf = (
  data: readonly number[] | Uint8Array,
  read: (obus: Uint8Array) => unknown = readAv1,
): Fault => {
  try {
    read(Uint8Array.from(data));
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('no fault');
};

/** Where the payload of the first frame OBU begins. */
function framePayload(obus: Uint8Array): number {
  let at = 0;
  while (((obus[at]! >> 3) & 15) !== 6) at += 2 + obus[at + 1]!;
  return at + (obus[at + 1]! >= 0x80 ? 3 : 2);
}

describe('the message of an AV1 fault', () => {
  it('has words for every code', () => {
    const words = Object.values(Code)
      .filter((code) => code !== Code.NONE)
      .map((code) => av1Fault(code, 64, 100));
    for (const { message } of words) expect(message).not.toMatch(/\(\d+\)$/);
    expect(new Set(words.map(({ message }) => message)).size).toBe(words.length);
    expect(av1Fault(Code.BAD_TILE, 64, 100).message).toContain('row 64 of 100');
  });

  it('tells data without a picture', () => {
    expect(faultOf([])).toMatchObject({
      kind: 'decoding',
      message: expect.stringContaining('sequence header'),
    });
    expect(faultOf([0x12, 0x00])).toMatchObject({ message: expect.stringContaining('sequence header') });
    expect(faultOf([0x92, 0x00])).toMatchObject({ message: expect.stringContaining('(OBU)') });
    expect(faultOf([0x0a, 0x0b, 0x00])).toMatchObject({ message: expect.stringContaining('end early') });
    expect(faultOf([0x0a, 1, 0xe0])).toMatchObject({ kind: 'unsupported' });
  });

  it('tells data that end early, wherever', async () => {
    const obus = await obusBySharp(photoPicture(100, 130, 1), { quality: 40 });
    for (let length = 0; length < obus.length; length += 1 + (length >> 4)) {
      expect(faultOf(obus.subarray(0, length)).kind).toBe('decoding');
    }
  });

  it('tells a tile that was changed, with the row', async () => {
    const obus = await obusBySharp(photoPicture(100, 200, 1), { quality: 55 });
    let told = 0;
    for (let at = 200; at < obus.length; at += 97) {
      const changed = obus.slice();
      changed.fill(0xff, at, at + 40);
      try {
        readAv1(changed);
      } catch (error) {
        expect((error as Fault).message).toMatch(/tile.*\(row \d+ of 200 reached\)/);
        told++;
      }
    }
    expect(told).toBeGreaterThan(5);
  });

  it('tells a picture that is predicted from one that is never shown', () => {
    const obus = keptStream('full-header');
    const payload = framePayload(obus);
    // show_existing_frame 0, frame_type 0 (key), show_frame 1.
    expect(obus[payload]! >> 4).toBe(1);
    for (const [first, kind] of [
      [0x30, 'unsupported'],
      [0x70, 'unsupported'],
      [0x80, 'decoding'],
      [0x00, 'decoding'],
    ] as const) {
      const changed = obus.slice();
      changed[payload] = first | (changed[payload]! & 0x0f);
      expect(faultOf(changed, av1Facts)).toMatchObject({ kind });
    }
  });
});
