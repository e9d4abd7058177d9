import { describe, expect, it } from 'vitest';
import type { PixelArea } from '../../../src/metadata/facts.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { orient } from '../../../src/pixels/orient.ts';
import {
  auxC,
  av1C,
  avif,
  box,
  clap,
  clapOf,
  imir,
  irot,
  ispe,
  pictureTrack,
  sequenceHeader,
} from '../../fixtures/avif_writer.ts';
import { bytes, u16, u32 } from '../../fixtures/bytes.ts';
import { seededRandom } from '../../fixtures/random.ts';
import { rasterOf, readPicture } from '../../fixtures/raster.ts';

const [WIDTH, HEIGHT] = [7, 5];
const size = { width: WIDTH, height: HEIGHT };
const coded = { type: 'av01', extents: [sequenceHeader(WIDTH, HEIGHT)] };

const withTransforms = (transforms: readonly Uint8Array[], declared = [ispe(WIDTH, HEIGHT)]) => {
  const properties = [...declared, av1C(0), ...transforms];
  return avif({ items: [{ id: 1, ...coded, properties: properties.map((_, i) => i + 1) }], properties });
};
const factsOf = (...transforms: Uint8Array[]) => scan(withTransforms(transforms))!;
const area = (x: number, y: number, width: number, height: number): PixelArea => ({ x, y, width, height });
const NONE = [0, 1] as const;

describe('the clean aperture of an AVIF', () => {
  it.each<[string, readonly (readonly [number, number])[], PixelArea | null | undefined]>([
    ['around the middle', [[3, 1], [3, 1], NONE, NONE], area(2, 1, 3, 3)],
    [
      'moved right and up',
      [
        [3, 1],
        [3, 1],
        [2, 1],
        [-1, 1],
      ],
      area(4, 0, 3, 3),
    ],
    [
      'begun in the corner by halves',
      [
        [4, 1],
        [2, 1],
        [-3, 2],
        [-3, 2],
      ],
      area(0, 0, 4, 2),
    ],
    ['of the whole picture', [[7, 1], [5, 1], NONE, NONE], undefined],
    ['larger than the picture', [[70, 1], [5, 1], NONE, NONE], undefined],
    ['reaching beyond the right edge', [[5, 1], [5, 1], [3, 1], NONE], area(4, 0, 3, 5)],
    // 1.5 to 5.5 keeps pixels 2 to 4; 2.25 to 2.75 down would be none, 1.75 to 4.25 keeps 2 and 3.
    ['that cuts pixels, rounded inwards', [[4, 1], [5, 2], NONE, [1, 2]], area(2, 2, 3, 2)],
    ['that holds no whole pixel', [[4, 1], [1, 2], NONE, NONE], null],
    [
      'over denominators too large for doubles',
      [[2 ** 31 - 1, 715827883], [5, 1], NONE, NONE],
      area(3, 0, 1, 5),
    ],
    ['outside', [[3, 1], [3, 1], [9, 1], NONE], null],
    ['outside by far', [[3, 1], [3, 1], NONE, [-(2 ** 31), 1]], null],
    ['without width', [[0, 1], [3, 1], NONE, NONE], null],
    ['of negative height', [[3, 1], [-3, 1], NONE, NONE], null],
    ['divided by zero', [[3, 0], [3, 1], NONE, NONE], null],
    ['moved by a division by zero', [[3, 1], [3, 1], NONE, [0, 0]], null],
    ['over a negative denominator', [[-3, -1], [3, 1], NONE, NONE], null],
    ['cut short', [[3, 1], [3, 1], NONE], null],
  ])('%s', (_, fractions, expected) => {
    const facts = factsOf(clap(...fractions));
    expect(facts.cleanAperture).toEqual(expected);
    // Sizes stay those that are stored.
    expect(facts).toMatchObject({ width: WIDTH, height: HEIGHT, complete: true });
  });

  it('is the same where it is linked twice, and of two what both show', () => {
    const shown = clapOf(size, area(1, 1, 4, 3));
    expect(factsOf(shown, shown).cleanAperture).toEqual(area(1, 1, 4, 3));
    expect(factsOf(shown, clapOf(size, area(3, 0, 4, 2))).cleanAperture).toEqual(area(3, 1, 2, 1));
    expect(factsOf(shown, clap([1, 0])).cleanAperture).toEqual(area(1, 1, 4, 3));
  });

  it('counts from the size of the bitstream where the container states none', () => {
    const file = withTransforms([clapOf(size, area(4, 1, 3, 2))], []);
    expect(scan(file)).toMatchObject({ ...size, cleanAperture: area(4, 1, 3, 2) });
  });

  it('is that of a grid, and not of its tiles or of its alpha', () => {
    const canvas = { width: 2 * WIDTH, height: HEIGHT };
    const properties = [
      ...[
        ispe(WIDTH, HEIGHT),
        av1C(0),
        ispe(canvas.width, HEIGHT),
        auxC('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha'),
      ],
      ...[clapOf(canvas, area(5, 1, 4, 3)), clapOf(size, area(0, 0, 2, 2))],
    ];
    const grid = (of: readonly number[]) =>
      avif({
        items: [
          {
            id: 1,
            type: 'grid',
            extents: [bytes(0, 0, 0, 1, u16(canvas.width), u16(HEIGHT))],
            properties: [3, ...of],
          },
          ...[2, 3].map((id) => ({ id, ...coded, properties: [1, 2, 6] })),
          { id: 4, ...coded, extents: [sequenceHeader(canvas.width, HEIGHT)], properties: [3, 2, 4, 6] },
        ],
        properties,
        references: [
          { type: 'dimg', from: 1, to: [2, 3] },
          { type: 'auxl', from: 4, to: [1] },
        ],
      });
    expect(scan(grid([5]))).toMatchObject({ ...canvas, hasAlpha: true, cleanAperture: area(5, 1, 4, 3) });
    expect(scan(grid([]))!.cleanAperture).toBeUndefined();
  });

  it('is that of a sequence’s sample entry, as is the turn', () => {
    const head = box('ftyp', 'avis', u32(0), 'avis', 'avif');
    const frame = sequenceHeader(WIDTH, HEIGHT);
    const properties = [clapOf(size, area(1, 0, 2, 4)), irot(1)];
    const track = (offset: number) =>
      box(
        'moov',
        pictureTrack({ id: 1, handler: 'pict', ...size, sizes: [frame.length], offset, properties }),
      );
    const file = bytes(head, track(head.length + track(0).length + 8), box('mdat', frame));
    expect(scan(file)).toMatchObject({ ...size, orientation: 8, cleanAperture: area(0, 4, 4, 2) });
  });
});

/** A picture as rows of the numbers of its pixels. */
type Rows = readonly (readonly number[])[];
const NUMBERED: Rows = Array.from({ length: HEIGHT }, (_, y) =>
  Array.from({ length: WIDTH }, (_, x) => 1 + y * WIDTH + x),
);
const turnedLeft = (rows: Rows): Rows => rows[0]!.map((_, x) => rows.map((row) => row.at(-1 - x)!));

it('shows what each transform makes of what those before it have made, in any order', () => {
  const random = seededRandom(5);
  const below = (n: number) => Math.floor(random() * n);
  for (let n = 0; n < 300; n++) {
    let rows = NUMBERED;
    let aperture: { rows: Rows; area: PixelArea } | undefined;
    const kinds = ['clap', 'irot', 'imir'].sort(() => random() - 0.5);
    const transforms = kinds.map((kind) => {
      if (kind === 'clap') {
        const [width, height] = [rows[0]!.length, rows.length];
        const [x, y] = [below(width), below(height)];
        const cut = area(x, y, 1 + below(width - x), 1 + below(height - y));
        aperture = { rows, area: cut };
        const isShown = (row: number, column: number) =>
          row >= y && row < y + cut.height && column >= x && column < x + cut.width;
        rows = rows.map((row, i) => row.map((value, j) => (isShown(i, j) ? value : 0)));
        return clapOf({ width, height }, cut);
      }
      const value = below(kind === 'irot' ? 4 : 2);
      if (kind === 'irot') for (let i = 0; i < value; i++) rows = turnedLeft(rows);
      else rows = value === 0 ? rows.toReversed() : rows.map((row) => row.toReversed());
      return kind === 'irot' ? irot(value) : imir(value);
    });
    expect(aperture).toBeDefined();
    const expected = rows.map((row) => row.filter((value) => value > 0)).filter((row) => row.length > 0);

    const { orientation, cleanAperture } = factsOf(...transforms);
    const pixels = new Uint8Array(NUMBERED.flat().flatMap((value) => [value, 0, 0, 255]));
    const upright = readPicture(orient(rasterOf({ ...size, pixels }), orientation, 1000));
    const { x, y, width, height } = cleanAperture ?? area(0, 0, upright.width, upright.height);
    const shown = Array.from({ length: height }, (_, i) =>
      Array.from({ length: width }, (_, j) => upright.pixels[((y + i) * upright.width + x + j) * 4]),
    );
    expect(shown, transforms.map((of) => [...of].join()).join('; ')).toEqual(expected);
  }
});
