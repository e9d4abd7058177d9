import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { scan } from '../../../src/metadata/scan.ts';
import { withItemThumbnail } from '../../fixtures/avif_files.ts';
import { av1C, pixi } from '../../fixtures/avif_writer.ts';
import { kinds, SECRET, size, thumbnailSized } from './avif_thumbnail_kinds.ts';
import { valuesOf } from './read.ts';

const pixels = async (file: Uint8Array) => {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

describe('an AV1 thumbnail', () => {
  it.each(kinds)('of $name is given as a file that shows it, and no more', async (kind) => {
    const [picture, thumbnail] = [await thumbnailSized(1), await thumbnailSized(2, kind)];
    const configuration = av1C(kind.flags);
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
    expect(await pixels(image)).toEqual(await pixels(thumbnail));
    expect(valuesOf(file)!.thumbnails[0]!.image).toBeUndefined();
  });

  it('is not given where it lacks its configuration or is no row of units', async () => {
    const [picture, thumbnail] = [await thumbnailSized(1), await thumbnailSized(2)];
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
