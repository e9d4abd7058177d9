import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytes, u16, u32 } from '../../fixtures/bytes.ts';
import { exifSegment, jpeg } from '../../fixtures/jpeg_writer/segments.ts';
import { seededBelow } from '../../fixtures/random.ts';
import { ascii, child, undefinedBytes, writeTiffStructure } from '../../fixtures/tiff_structure.ts';
import { valuesOf } from './read.ts';

const version = spawnSync('exiftool', ['-ver'], { encoding: 'utf8' }).stdout?.trim();
if (!version) console.log('skipped: exiftool is not installed (libimage-exiftool-perl)');

/** Bytes of the field of a camera of 2012. */
const FIELD = 944;

/** The cipher as it is published: the third power modulo 249, for bytes below that. */
const enciphered = (plain: Uint8Array) => plain.map((byte) => (byte < 249 ? byte ** 3 % 249 : byte));

/** A photo of a Sony camera, with this in its field 0x9050. */
function photo(model: string, plain: Uint8Array) {
  // Offsets in the note count from the structure around it, whose first bytes behind the header this is.
  const entry = [u16(0x9050, true), u16(7, true), u32(plain.length, true), u32(8, true)];
  const note = bytes('SONY DSC ', 0, 0, 0, u16(1, true), entry, u32(0, true));
  const fields = [ascii(271, 'SONY'), ascii(272, model), child(34665, [undefinedBytes(37500, note)])];
  const structure = writeTiffStructure([fields], { little: true, head: enciphered(plain) });
  return jpeg({ head: exifSegment(structure) });
}

const serialIn = (file: Uint8Array) =>
  valuesOf(file)!.device.find(({ field }) => field === 'Sony:InternalSerialNumber')?.value;

const models = `SLT-A37 SLT-A65V SLT-A77V SLT-A99V HV ILCA-68 ILCA-77M2 ILCA-99M2 NEX-3N NEX-5N NEX-5R NEX-5T
  NEX-6 NEX-7 NEX-F3 NEX-VG20E NEX-VG900 ILCE-1 ILCE-3000 ILCE-5100 ILCE-6000 ILCE-6100 ILCE-6300 ILCE-6600
  ILCE-7 ILCE-7C ILCE-7M2 ILCE-7M3 ILCE-7M4 ILCE-7R ILCE-7RM2 ILCE-7RM3A ILCE-7RM4A ILCE-7RM5 ILCE-7S
  ILCE-7SM2 ILCE-7SM3 ILCE-9 ILCE-9M2 ILCE-QX1 ILME-FX3 ZV-E10 DSC-RX100 Stellar Lunar`
  .trim()
  .split(/\s+/);

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

  it.skipIf(!version)(`are those of exiftool ${version}`, () => {
    const below = seededBelow(11);
    const folder = mkdtempSync(join(tmpdir(), 'sony-'));
    try {
      const ours = models.map((model) => {
        const file = photo(
          model,
          Uint8Array.from({ length: FIELD }, () => below(256)),
        );
        writeFileSync(join(folder, `${model}.jpg`), file);
        return [model, serialIn(file)];
      });
      const args = ['-json', '-Sony:InternalSerialNumber', '-Model', folder];
      const theirs: { Model: string; InternalSerialNumber?: string }[] = JSON.parse(
        execFileSync('exiftool', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      );
      const byModel = new Map(theirs.map((one) => [one.Model, one.InternalSerialNumber]));
      expect(ours).toEqual(models.map((model) => [model, byModel.get(model)?.toString()]));
      expect(ours.filter(([, serial]) => serial).length).toBeGreaterThan(35);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
