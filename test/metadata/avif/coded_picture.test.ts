import { describe, expect, it } from 'vitest';
import { type AvifPicture, findPicture, type NoPicture } from '../../../src/metadata/avif/coded_picture.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { resultOf } from '../../../src/metadata/scan_as.ts';
import {
  type AvifOptions,
  auxC,
  av1C,
  avif,
  box,
  type ItemSpec,
  ispe,
  pictureTrack,
  sequenceHeader,
} from '../../fixtures/avif_writer.ts';
import { bytes, type Part, u16, u32 } from '../../fixtures/bytes.ts';

const ALPHA = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha';
const DEPTH = 'urn:mpeg:mpegB:cicp:systems:auxiliary:depth';
const coded = (id: number, text: string, properties = [1, 2]): ItemSpec => ({
  id,
  type: 'av01',
  extents: [bytes(sequenceHeader(8, 6), text)],
  properties,
});
const plain = [ispe(8, 6), av1C(0), auxC(ALPHA), auxC(DEPTH), ispe(16, 6)];

const write = (options: Partial<AvifOptions>) =>
  avif({ items: [coded(1, 'colour')], properties: plain, version: 1, ...options });

function found(options: Partial<AvifOptions>): {
  picture: AvifPicture;
  text: (tile: number, of?: 'alpha') => string;
} {
  const file = write(options);
  const picture = resultOf(findPicture(file));
  if ('defect' in picture) throw new Error(picture.defect);
  const text = (tile: number, of?: 'alpha') => {
    const { extents } = (of ? picture.alpha! : picture.colour).tiles[tile]!;
    return extents.map(({ start, end }) => new TextDecoder().decode(file.subarray(start, end))).join('|');
  };
  return { picture, text };
}

const defectOf = (options: Partial<AvifOptions>) =>
  (resultOf(findPicture(write(options))) as NoPicture).defect;
const grid = (rows: number, columns: number, width: number, height: number): Part => [
  0,
  0,
  rows - 1,
  columns - 1,
  u16(width),
  u16(height),
];

describe('the picture of an AVIF', () => {
  it('is its primary item, wherever that lies', () => {
    expect(found({}).text(0)).toMatch(/colour$/);
    const other = found({ items: [coded(1, 'other'), coded(2, 'primary')], primary: 2 });
    expect(other.text(0)).toMatch(/primary$/);
    expect(found({ items: [{ ...coded(1, 'inside'), inside: true }] }).text(0)).toMatch(/inside$/);
    const split = found({ items: [{ ...coded(1, ''), extents: ['one', 'two'] }] });
    expect(split.text(0)).toBe('one|two');
    expect(split.picture).toMatchObject({
      premultiplied: false,
      colour: { columns: 1, rows: 1, width: 8, height: 6 },
    });
  });

  it('has the alpha that auxC names, and no depth map for one', () => {
    const alpha = coded(2, 'alpha', [1, 2, 3]);
    const depth = coded(3, 'depth', [1, 2, 4]);
    const references = [
      { type: 'auxl', from: 3, to: [1] },
      { type: 'auxl', from: 2, to: [1] },
    ];
    const both = found({ items: [coded(1, 'colour'), alpha, depth], references });
    expect(both.text(0, 'alpha')).toMatch(/alpha$/);
    const only = { items: [coded(1, 'colour'), depth], references: references.slice(0, 1) };
    expect(found(only).picture.alpha).toBeUndefined();
    expect(scan(write(only))).toMatchObject({ hasAlpha: false, channels: 3 });
    const prem = [...references, { type: 'prem', from: 1, to: [2] }];
    expect(found({ items: [coded(1, 'colour'), alpha], references: prem }).picture.premultiplied).toBe(true);
  });

  it('is a grid in the order of its reference, not of its items', () => {
    const items: ItemSpec[] = [
      { id: 1, type: 'grid', extents: [grid(1, 2, 16, 6)], properties: [5] },
      coded(2, 'right'),
      coded(3, 'left'),
    ];
    const references = [{ type: 'dimg', from: 1, to: [3, 2] }];
    const { picture, text } = found({ items, references });
    expect(picture.colour).toMatchObject({ columns: 2, rows: 1, width: 16, height: 6 });
    expect([text(0), text(1)]).toEqual([expect.stringMatching(/left$/), expect.stringMatching(/right$/)]);
    expect(scan(write({ items, references }))).toMatchObject({
      width: 16,
      height: 6,
      avif: { colour: { columns: 2, rows: 1, width: 8, height: 6 } },
    });
    // The same tile twice.
    const twice = found({ items, references: [{ type: 'dimg', from: 1, to: [2, 2] }] });
    expect([twice.text(0), twice.text(1)]).toEqual([
      expect.stringMatching(/right$/),
      expect.stringMatching(/right$/),
    ]);
  });

  it('has the alphas of its tiles where the grid has none of its own', () => {
    const items: ItemSpec[] = [
      { id: 1, type: 'grid', extents: [grid(1, 2, 16, 6)], properties: [5] },
      ...[coded(2, 'a'), coded(3, 'b'), coded(4, 'alpha of a', [1, 2, 3]), coded(5, 'alpha of b', [1, 2, 3])],
    ];
    const references = [
      { type: 'dimg', from: 1, to: [2, 3] },
      { type: 'auxl', from: 5, to: [3] },
      { type: 'auxl', from: 4, to: [2] },
    ];
    const { picture, text } = found({ items, references });
    expect(picture.alpha).toMatchObject({ columns: 2, rows: 1 });
    expect([text(0, 'alpha'), text(1, 'alpha')]).toEqual([
      expect.stringMatching(/alpha of a$/),
      expect.stringMatching(/alpha of b$/),
    ]);
    expect(scan(write({ items, references }))!.hasAlpha).toBe(true);
    const half = found({ items, references: references.slice(0, 2) });
    expect(half.picture.alpha).toBeUndefined();
  });

  it('is a grid also where the size of the grid lies in several extents', () => {
    const [head, size] = [
      [0, 0, 0],
      [1, u16(16), u16(6)],
    ] as const;
    const file = {
      items: [
        { id: 1, type: 'grid', extents: [head, size, 'beyond'], properties: [5] },
        coded(2, 'a'),
        coded(3, 'b'),
      ],
      references: [{ type: 'dimg', from: 1, to: [2, 3] }],
    };
    const { picture, text } = found(file);
    expect(picture.colour).toMatchObject({ columns: 2, rows: 1, width: 16, height: 6, isGrid: true });
    expect([text(0), text(1)]).toEqual([expect.stringMatching(/a$/), expect.stringMatching(/b$/)]);
    expect(scan(write(file))).toMatchObject({ width: 16, height: 6, complete: true });
  });

  it.each<[string, Partial<AvifOptions>, RegExp]>([
    ['another codec', { items: [{ ...coded(1, 'x'), type: 'hvc1' }] }, /type hvc1 in place of av01/],
    ['a primary item that is not there', { primary: 7 }, /no primary image item/],
    [
      'a grid with too few tiles',
      {
        items: [{ id: 1, type: 'grid', extents: [grid(2, 2, 16, 12)] }, coded(2, 'a')],
        references: [{ type: 'dimg', from: 1, to: [2] }],
      },
      /grid of 2 × 2 tiles, of which 1 are there/,
    ],
    [
      'a tile in many pieces that comes again and again',
      {
        items: [
          { id: 1, type: 'grid', extents: [grid(255, 255, 255 * 8, 255 * 6)] },
          { ...coded(2, ''), extents: ['a', 'b', 'c'] },
        ],
        references: [{ type: 'dimg', from: 1, to: Array<number>(255 * 255).fill(2) }],
      },
      /tiles lie in too many pieces/,
    ],
    [
      'a grid that is cut short',
      { items: [{ id: 1, type: 'grid', extents: [[0, 0, 1]] }] },
      /cannot be read/,
    ],
    [
      'a grid of grids',
      {
        items: [{ id: 1, type: 'grid', extents: [grid(1, 1, 8, 6)] }],
        references: [{ type: 'dimg', from: 1, to: [1] }],
      },
      /type grid in place of av01/,
    ],
    [
      'alpha of another codec',
      {
        items: [coded(1, 'x'), { ...coded(2, 'y', [3]), type: 'hvc1' }],
        references: [{ type: 'auxl', from: 2, to: [1] }],
      },
      /hvc1 in place of av01, as its alpha/,
    ],
  ])('is refused for %s', (_, options, defect) => {
    expect(defectOf(options)).toMatch(defect);
  });
});

describe('the first frame of a sequence', () => {
  const frame = bytes(sequenceHeader(30, 20), 'first');
  const second = bytes('second');
  /** A file of tracks only; `first` of each lies where its sample table says. */
  const sequence = (...tracks: readonly ((at: number) => Uint8Array)[]) => {
    const ftyp = box('ftyp', 'avis', u32(0), 'avis', 'avif');
    const data = bytes(frame, second);
    const moov = (at: number) => box('moov', ...tracks.map((track) => track(at)));
    const at = ftyp.length + moov(0).length + 8;
    return bytes(ftyp, moov(at), box('mdat', data));
  };
  const colour = (at: number, more: Record<string, unknown> = {}) =>
    pictureTrack({
      id: 1,
      handler: 'pict',
      width: 30,
      height: 20,
      sizes: [frame.length, 6],
      offset: at,
      ...more,
    });
  const auxiliary = (type: string, id: number) => (at: number) =>
    pictureTrack({
      id,
      handler: 'auxv',
      width: 30,
      height: 20,
      sizes: [6],
      offset: at + frame.length,
      auxiliary: type,
      references: { auxl: [1] },
    });

  it('is that of its first picture track, where there is no item', () => {
    const file = sequence((at) => colour(at));
    const picture = resultOf(findPicture(file)) as AvifPicture;
    const { start, end } = picture.colour.tiles[0]!.extents[0]!;
    expect(new TextDecoder().decode(file.subarray(start, end))).toMatch(/first$/);
    expect(picture.alpha).toBeUndefined();
    expect(scan(file)).toMatchObject({ width: 30, height: 20, frames: 2, hasAlpha: false, complete: true });
  });

  it('has the alpha of the track that says so: a track of depth is none', () => {
    const tracks = sequence((at) => colour(at), auxiliary(DEPTH, 3), auxiliary(ALPHA, 2));
    const both = resultOf(findPicture(tracks)) as AvifPicture;
    expect(both.alpha).toBeDefined();
    expect(both.premultiplied).toBe(false);
    const depth = sequence((at) => colour(at), auxiliary(DEPTH, 3));
    expect((resultOf(findPicture(depth)) as AvifPicture).alpha).toBeUndefined();
    expect(scan(depth)).toMatchObject({ hasAlpha: false });
    const prem = sequence((at) => colour(at, { references: { prem: [2] } }), auxiliary(ALPHA, 2));
    expect((resultOf(findPicture(prem)) as AvifPicture).premultiplied).toBe(true);
  });

  it('goes before the primary item where the major brand says that the file is a sequence', () => {
    const brands = (major: string) => {
      const file = write({ items: [coded(1, 'item')], brands: [major, 'avif', 'avis'] });
      const moov = box('moov', colour(file.length + 0));
      const at = file.length + moov.length + 8;
      return bytes(file, box('moov', colour(at)), box('mdat', frame, second));
    };
    const textOf = (file: Uint8Array) => {
      const { start, end } = (resultOf(findPicture(file)) as AvifPicture).colour.tiles[0]!.extents[0]!;
      return new TextDecoder().decode(file.subarray(start, end));
    };
    expect(textOf(brands('avis'))).toMatch(/first$/);
    expect(textOf(brands('avif'))).toMatch(/item$/);
    expect(scan(brands('avis'))).toMatchObject({ width: 30, height: 20 });
    expect(scan(brands('avif'))).toMatchObject({ width: 8, height: 6 });
  });

  it('needs no primary item beside it, nor a place of one', () => {
    const metas = [{ items: [], primary: 7 }, { items: [{ id: 1, type: 'av01', extents: [] }] }];
    for (const options of metas) {
      const head = write({ ...options, brands: ['avis', 'avif'] });
      const at = head.length + box('moov', colour(0)).length + 8;
      const file = bytes(head, box('moov', colour(at)), box('mdat', frame, second));
      expect(scan(file)).toMatchObject({ width: 30, height: 20, complete: true });
    }
    expect(scan(write({ primary: 7 }))).toMatchObject({ complete: false });
  });

  it('is refused where its sample table names no place', () => {
    const file = sequence((at) => colour(at, { sizes: [] }));
    expect((resultOf(findPicture(file)) as NoPicture).defect).toMatch(/where its first frame lies/);
  });
});
