import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withItemThumbnail } from '../../fixtures/avif_files.ts';
import { haveAvifTools } from '../../fixtures/avif_tools.ts';
import { av1C } from '../../fixtures/avif_writer.ts';
import { inFolder } from '../../fixtures/in_folder.ts';
import { kinds, SECRET, size, thumbnailSized } from './avif_thumbnail_kinds.ts';
import { valuesOf } from './read.ts';

it.skipIf(!haveAvifTools).each(kinds)(
  'avifdec, which is strict, has nothing against the file of an AV1 thumbnail of $name',
  async (kind) => {
    const [picture, thumbnail] = [await thumbnailSized(1), await thumbnailSized(2, kind)];
    const options = { ...size, configuration: av1C(kind.flags), secret: SECRET };
    const file = withItemThumbnail(picture, thumbnail, options);
    const [found] = valuesOf(file, { thumbnails: true })!.thumbnails;
    inFolder((cwd) => {
      writeFileSync(join(cwd, 'a.avif'), found!.image!);
      const { status, stderr } = spawnSync('avifdec', ['a.avif', 'a.png'], { cwd, encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    });
  },
);
