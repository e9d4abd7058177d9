import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { scan } from '../../../src/metadata/scan.ts';
import { withItemThumbnail } from '../../fixtures/avif_files.ts';
import { encodeByAvifenc, haveAvifTools } from '../../fixtures/avif_tools.ts';
import { av1C, pixi } from '../../fixtures/avif_writer.ts';
import { photoPicture } from '../../fixtures/raster.ts';
import { valuesOf } from './read.ts';

const SECRET = 'nobody is to see this';
const size = { width: 48, height: 20 };

/** avifenc's switches for a thumbnail, and its configuration: profile and level, then depth and sampling. */
const kinds = [
  ['8 bits, 4:2:0', ['-y', '420'], 0x0c],
  ['8 bits, 4:4:4', ['-y', '444'], 0x00],
  ['10 bits, 4:2:0', ['-d', '10', '-y', '420'], 0x4c],
  ['12 bits, grey', ['-d', '12', '-y', '400'], 0x7c],
] as const;

const encoded = (switches: readonly string[], seed: number) =>
  encodeByAvifenc(photoPicture(size.width, size.height, seed), ['-s', '9', '--cicp', '1/13/6', ...switches]);

/** Stops where avifdec, which is strict by default, has anything to say against the file. */
function decodeStrictly(file: Uint8Array): void {
  const folder = mkdtempSync(join(tmpdir(), 'thumbnail-'));
  try {
    writeFileSync(join(folder, 'a.avif'), file);
    const { status, stderr } = spawnSync('avifdec', ['a.avif', 'a.png'], { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const pixels = async (file: Uint8Array) => {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

describe.skipIf(!haveAvifTools)('an AV1 thumbnail', () => {
  it.each(kinds)('of %s is given as a file that shows it, and no more', async (_, switches, flags) => {
    const [picture, thumbnail] = await Promise.all([encoded([], 1), encoded(switches, 2)]);
    const configuration = av1C(flags);
    const file = withItemThumbnail(picture, thumbnail, { ...size, configuration, secret: SECRET });
    const [found] = valuesOf(file, { thumbnails: true })!.thumbnails;
    expect(found).toMatchObject({ encoding: 'av1', ...size, differs: false });
    const image = found!.image!;
    expect(scan(image)).toMatchObject({
      format: 'avif',
      ...size,
      orientation: 1,
      complete: true,
      blocks: [],
    });
    expect(Buffer.from(image).includes(SECRET)).toBe(false);
    decodeStrictly(image);
    expect(await pixels(image)).toEqual(await pixels(thumbnail));
    expect(valuesOf(file)!.thumbnails[0]!.image).toBeUndefined();
  });

  it('is not given where it lacks its configuration or is no row of units', async () => {
    const [picture, thumbnail] = await Promise.all([encoded([], 1), encoded([], 2)]);
    const options = { ...size, configuration: av1C(0x0c), secret: SECRET };
    const given = (file: Uint8Array) => {
      const [found] = valuesOf(file, { thumbnails: true })!.thumbnails;
      return [found!.encoding, found!.image !== undefined];
    };
    const file = withItemThumbnail(picture, thumbnail, options);
    expect(given(file)).toEqual(['av1', true]);
    const bare = withItemThumbnail(picture, thumbnail, { ...options, configuration: pixi(8, 8, 8) });
    expect(given(bare)).toEqual(['av1', false]);
    // The size of its last unit, a metadata unit of that many letters, leads beyond its end.
    const broken = file.slice();
    broken[file.length - SECRET.length - 1]! += 1;
    expect(given(broken)).toEqual(['av1', false]);
  });
});
