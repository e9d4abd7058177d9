import { fileOfItem, obusOf } from '../../fixtures/avif_files.ts';
import { av1C, ispe, nclx, pixi } from '../../fixtures/avif_writer.ts';
import { avifByJsquash, SUBSAMPLE } from '../../fixtures/jsquash_avif.ts';
import { photoPicture } from '../../fixtures/raster.ts';

export const SECRET = 'nobody is to see this';
export const size = { width: 48, height: 20 };

interface Kind {
  readonly name: string;
  readonly layout: keyof typeof SUBSAMPLE;
  readonly depth: number;
  /** Of its configuration: depth and sampling. */
  readonly flags: number;
}

const usual: Kind = { name: '8 bits, 4:2:0', layout: '420', depth: 8, flags: 0x0c };

export const kinds: readonly Kind[] = [
  usual,
  { name: '8 bits, 4:4:4', layout: '444', depth: 8, flags: 0x00 },
  { name: '10 bits, 4:2:0', layout: '420', depth: 10, flags: 0x4c },
  { name: '12 bits, grey', layout: '400', depth: 12, flags: 0x7c },
];

/** A picture of the size of a thumbnail, as a file whose matrix is that of BT.601. */
export async function thumbnailSized(seed: number, { layout, depth, flags }: Kind = usual) {
  const options = { speed: 9, subsample: SUBSAMPLE[layout], bitDepth: depth };
  const file = await avifByJsquash(photoPicture(size.width, size.height, seed), options);
  const bits = layout === '400' ? [depth] : [depth, depth, depth];
  const properties = [ispe(size.width, size.height), pixi(...bits), av1C(flags), nclx(1, 13, 6)];
  return fileOfItem(obusOf(file), size, { properties });
}
