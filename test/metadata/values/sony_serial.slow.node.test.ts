import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seededBelow } from '../../fixtures/random.ts';
import { haveTools } from '../../fixtures/tools.ts';
import { FIELD, photo, serialIn } from './sony_photo.ts';

const models = `SLT-A37 SLT-A65V SLT-A77V SLT-A99V HV ILCA-68 ILCA-77M2 ILCA-99M2 NEX-3N NEX-5N NEX-5R NEX-5T
  NEX-6 NEX-7 NEX-F3 NEX-VG20E NEX-VG900 ILCE-1 ILCE-3000 ILCE-5100 ILCE-6000 ILCE-6100 ILCE-6300 ILCE-6600
  ILCE-7 ILCE-7C ILCE-7M2 ILCE-7M3 ILCE-7M4 ILCE-7R ILCE-7RM2 ILCE-7RM3A ILCE-7RM4A ILCE-7RM5 ILCE-7S
  ILCE-7SM2 ILCE-7SM3 ILCE-9 ILCE-9M2 ILCE-QX1 ILME-FX3 ZV-E10 DSC-RX100 Stellar Lunar`
  .trim()
  .split(/\s+/);

it.skipIf(!haveTools('exiftool'))('enciphered serial numbers of Sony are those of exiftool', () => {
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
