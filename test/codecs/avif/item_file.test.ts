import { expect, it } from 'vitest';
import { type CodedItem, type ItemPicture, itemFileHead } from '../../../src/codecs/avif/item_file.ts';
import { type AvifPicture, findPicture } from '../../../src/metadata/avif/coded_picture.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { resultOf } from '../../../src/metadata/scan_as.ts';
import { sequenceHeader } from '../../fixtures/avif_writer.ts';
import { bytes } from '../../fixtures/bytes.ts';

const item = (form: Partial<CodedItem> = {}): CodedItem => ({
  format: { depth: 8, monochrome: false, subX: 1, subY: 1 },
  ...{ bytes: 40, operatingPoint: 0, layer: -1 },
  ...form,
});
const picture = (form: Partial<ItemPicture> = {}): ItemPicture => ({
  ...{ width: 70_000, height: 300, premultiplied: false, colour: item() },
  codePoints: { primaries: 9, transfer: 16, matrix: 9, fullRange: true },
  ...form,
});
/** The file, its bitstreams being zeros. */
const fileOf = (form: ItemPicture) =>
  bytes(itemFileHead(form), new Uint8Array(form.colour.bytes + (form.alpha?.bytes ?? 0)));

it('is a file of one item, which our own walker reads back', () => {
  const colour = item({ operatingPoint: 3, layer: 2 });
  const file = fileOf(picture({ colour }));
  const found = resultOf(findPicture(file)) as AvifPicture;
  expect(found).toMatchObject({ premultiplied: false, colour: { columns: 1, rows: 1, width: 70_000 } });
  expect(found.alpha).toBeUndefined();
  const at = { start: file.length - 40, end: file.length };
  expect(found.colour.tiles).toEqual([{ extents: [at], operatingPoint: 3, layer: 2 }]);
});

it('has alpha as an item of its own, behind the colour', () => {
  const alpha = item({ format: { depth: 10, monochrome: true, subX: 1, subY: 1 }, bytes: 9 });
  const file = fileOf(picture({ alpha, premultiplied: true }));
  const found = resultOf(findPicture(file)) as AvifPicture;
  expect(found.premultiplied).toBe(true);
  expect(found.alpha!.tiles[0]!.extents).toEqual([{ start: file.length - 9, end: file.length }]);
  expect(found.colour.tiles[0]!.extents).toEqual([{ start: file.length - 49, end: file.length - 9 }]);
});

it('states size, depth and colours', () => {
  const format = { depth: 12, monochrome: false, subX: 1, subY: 0 };
  const facts = scan(fileOf(picture({ colour: item({ format }) })))!;
  expect(facts).toMatchObject({ format: 'avif', width: 70_000, height: 300, orientation: 1, bitDepth: 12 });
  expect(facts.colorimetry?.codePoints).toEqual(picture().codePoints);
  expect(facts.blocks).toEqual([]);
});

it('leaves to the bitstream what it says itself', () => {
  const obu = sequenceHeader(64, 48);
  const file = bytes(itemFileHead(picture({ colour: item({ bytes: obu.length }) })), obu);
  expect(scan(file)!.avif?.colour).toMatchObject({ width: 64, height: 48 });
});
