import { describe, expect, it } from 'vitest';
import { Fault } from '../../../src/faults.ts';
import { firstDifference, readWhole } from '../../cases/decoder_cases.ts';
import { randomJpeg, samplingOf } from '../../fixtures/jpeg_writer/samples.ts';
import { type JpegRecipe, writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
import { openJpeg } from '../../fixtures/open_jpeg.ts';

const colour = randomJpeg({
  width: 45,
  height: 37,
  sampling: samplingOf('22 11 11'),
  mode: 'baseline',
  seed: 4,
});
const progressive = randomJpeg({
  width: 45,
  height: 37,
  sampling: samplingOf('22 11 11'),
  mode: 'progressive',
  seed: 4,
});
const grey = randomJpeg({ width: 45, height: 37, sampling: [[1, 1]], mode: 'baseline', seed: 4 });

function pixels(bytes: Uint8Array, colourOption: 'auto' | 'ycbcr' | 'rgb' = 'auto'): Uint8Array {
  using raster = openJpeg(bytes, { colour: colourOption });
  return readWhole(raster);
}

const same = (a: Uint8Array, b: Uint8Array) => expect(firstDifference(a, b)).toBe('none');
const flat =
  (dc: number): JpegRecipe['components'][number]['block'] =>
  () => [dc, ...new Array<number>(63).fill(0)];

/** The fault of decoding these bytes. */
function fault(bytes: Uint8Array): Fault {
  try {
    pixels(bytes);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('It was read');
}

/** A copy with the byte at `at` after the first marker `code` replaced (0 is the length's first byte). */
function patched(bytes: Uint8Array, code: number, at: number, value: number): Uint8Array {
  const copy = bytes.slice();
  copy[positionOf(bytes, code) + 2 + at] = value;
  return copy;
}

function positionOf(bytes: Uint8Array, code: number, from = 2): number {
  const found = bytes.findIndex((byte, at) => at >= from && byte === 0xff && bytes[at + 1] === code);
  if (found < 0) throw new Error(`No marker ${code}`);
  return found;
}

describe('a JPEG decoder', () => {
  it('gives a flat block its exact grey (DC × quantiser / 8 + 128)', () => {
    const recipe = {
      ...grey,
      width: 8,
      height: 8,
      components: [{ ...grey.components[0]!, block: flat(-20) }],
    };
    expect([...pixels(writeJpeg(recipe))].slice(0, 4)).toEqual([108, 108, 108, 255]);
  });

  it('reads the height from DNL, and refuses a frame that never says it', () => {
    const bytes = writeJpeg({ ...colour, dnl: true });
    same(pixels(bytes), pixels(writeJpeg(colour)));
    const without = bytes.slice();
    without[positionOf(bytes, 0xdc) + 1] = 0xfe;
    expect(fault(without)).toMatchObject({ kind: 'decoding', message: expect.stringContaining('height') });
  });

  it('takes the standard tables where DHT is absent', () => {
    same(
      pixels(writeJpeg({ ...colour, standardTables: 'omitted' })),
      pixels(writeJpeg({ ...colour, standardTables: 'written' })),
    );
  });

  it('reads extended sequential frames, fill bytes and 16-bit quantisers', () => {
    same(pixels(writeJpeg({ ...colour, extended: true, fill: 3 })), pixels(writeJpeg(colour)));
    same(pixels(writeJpeg({ ...progressive, fill: 2 })), pixels(writeJpeg(colour)));
    const quantTables = colour.quantTables.map((table) =>
      table.map((value, place) => (place === 63 ? 300 : value)),
    );
    expect(pixels(writeJpeg({ ...colour, quantTables })).length).toBe(45 * 37 * 4);
  });

  it('takes three components for what the markers, the ids or the caller say they are', () => {
    const rgb = (recipe: JpegRecipe, option?: 'rgb') => pixels(writeJpeg(recipe), option);
    const named = colour.components.map((component, i) => ({ ...component, id: 'RGB'.charCodeAt(i) }));
    const asRgb = rgb({ ...colour, adobe: 0 });
    same(rgb({ ...colour, components: named }), asRgb);
    same(rgb(colour, 'rgb'), asRgb);
    const asYcc = rgb({ ...colour, adobe: 1 });
    same(rgb(colour), asYcc);
    same(rgb({ ...colour, adobe: 0, jfif: true }), asYcc);
    expect(firstDifference(asRgb, asYcc)).not.toBe('none');
  });

  it("reads CMYK as inverted, with Adobe's marker and without; only inside a TIFF it is plain", () => {
    const ink = randomJpeg({
      width: 8,
      height: 8,
      sampling: samplingOf('11 11 11 11'),
      mode: 'baseline',
    });
    const components = [72, 0, -40, 30].map((value, i) => ({
      ...ink.components[i]!,
      quantTable: 0,
      block: flat(value),
    }));
    const { adobe: _adobe, ...plain } = { ...ink, components };
    // 200, 128, 88 and 158 stored.
    const multiply = (a: number, b: number) => Math.round((a * b) / 255);
    expect([...pixels(writeJpeg({ ...plain, adobe: 0 }))].slice(0, 4)).toEqual([
      ...[200, 128, 88].map((value) => multiply(value, 158)),
      255,
    ]);
    expect(pixels(writeJpeg(plain))).toEqual(pixels(writeJpeg({ ...plain, adobe: 0 })));
    using inTiff = openJpeg(writeJpeg(plain), { colour: 'rgb' });
    expect([...readWhole(inTiff)].slice(0, 4)).toEqual([
      ...[200, 128, 88].map((value) => multiply(255 - value, 255 - 158)),
      255,
    ]);
  });

  it('reads sampling that is no whole fraction by the nearest sample', () => {
    const sampling = samplingOf('41 31 11');
    const recipe = randomJpeg({ width: 64, height: 8, sampling, mode: 'baseline', seed: 8 });
    const full = { ...recipe, width: 48, components: [recipe.components[1]!], scans: [{ components: [0] }] };
    const middle = pixels(writeJpeg(full));
    const all = pixels(writeJpeg(recipe), 'rgb');
    for (let x = 0; x < 64; x++) expect(all[x * 4 + 1]).toBe(middle[Math.floor((x * 3) / 4) * 4]);
  });

  it('reads a comment whose length does not count itself', () => {
    const bytes = writeJpeg(colour);
    const comment = [0xff, 0xfe, 0, 0];
    same(pixels(Uint8Array.from([...bytes.subarray(0, 2), ...comment, ...bytes.subarray(2)])), pixels(bytes));
  });
});

describe('a JPEG decoder refuses', () => {
  const bytes = writeJpeg(colour);

  it.each([
    ['arithmetic coding', 0xc9, /arithmetic/],
    ['lossless', 0xc3, /lossless/],
    ['hierarchical', 0xc5, /hierarchical/],
  ])('%s', (_name, marker, message) => {
    const other = bytes.slice();
    other[positionOf(bytes, 0xc0) + 1] = marker;
    expect(fault(other)).toMatchObject({ kind: 'unsupported', message: expect.stringMatching(message) });
  });

  it('12 bits a sample, and two components', () => {
    expect(fault(patched(bytes, 0xc0, 2, 12))).toMatchObject({ kind: 'unsupported' });
    const two = { ...colour, components: colour.components.slice(0, 2), scans: [{ components: [0, 1] }] };
    expect(fault(writeJpeg(two))).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('2 colour'),
    });
  });

  it.each([
    ['no start marker', bytes.slice(1)],
    ['nothing', new Uint8Array(0)],
    ['a width of 0', patched(patched(bytes, 0xc0, 5, 0), 0xc0, 6, 0)],
    ['sampling factors of 0', patched(bytes, 0xc0, 9, 0x02)],
    ['sampling factors of 5', patched(bytes, 0xc0, 9, 0x51)],
    ['a quantiser of 0', patched(bytes, 0xdb, 3, 0)],
    ['an unknown component', patched(bytes, 0xda, 3, 77)],
    ['a Huffman table that is no prefix code', patched(bytes, 0xc4, 3, 3)],
    ['a missing quantiser', patched(bytes, 0xc0, 10, 3)],
    ['an illegal marker', patched(bytes, 0xdb, -1, 0x02)],
    ['a missing component', writeJpeg({ ...colour, scans: [{ components: [0] }, { components: [1] }] })],
    [
      'a component sent twice',
      writeJpeg({ ...colour, scans: [0, 1, 1, 2].map((c) => ({ components: [c] })) }),
    ],
    ['AC before DC', writeJpeg({ ...progressive, scans: progressive.scans.slice(1) })],
    [
      'a refinement left out',
      writeJpeg({ ...progressive, scans: progressive.scans.filter((_, i) => i !== 8) }),
    ],
  ])('%s', (_name, broken) => {
    expect(fault(broken)).toMatchObject({ kind: 'decoding' });
  });

  it('data that end early, at the row where they do', () => {
    const cut = fault(bytes.slice(0, bytes.length * 0.75));
    expect(cut).toMatchObject({ kind: 'decoding' });
    expect(cut.message).toMatch(/ends early \(row (16|32) of 37 reached\)/);
    const closed = Uint8Array.from([...bytes.subarray(0, bytes.length * 0.75), 0xff, 0xd9]);
    expect(fault(closed).message).toMatch(/row (16|32) of 37 reached/);
  });

  it('a missing end marker, and data left over', () => {
    expect(fault(bytes.slice(0, -2)).message).toMatch(/EOI.*row 37 of 37/);
    const padded = Uint8Array.from([
      ...bytes.subarray(0, -2),
      ...new Array<number>(300).fill(0x55),
      0xff,
      0xd9,
    ]);
    expect(fault(padded).message).toMatch(/left over/);
  });

  it('restart markers that are missing or out of order', () => {
    const restarting = writeJpeg({ ...colour, scans: [{ components: [0, 1, 2], restart: 2 }] });
    const other = restarting.slice();
    other[positionOf(restarting, 0xd1) + 1] = 0xd3;
    expect(fault(other).message).toMatch(/restart marker/);
    const dri = patched(restarting, 0xdd, 3, 3);
    expect(fault(dri)).toMatchObject({ kind: 'decoding' });
  });

  it('more work than any picture needs, before decoding anything', () => {
    const dark = { ...grey.components[0]!, block: flat(0) };
    /** Every coefficient in scans of its own: first without its `bits` lowest bits, then bit by bit. */
    const inScans = (bits: number) => {
      const scans = Array.from({ length: 64 * (bits + 1) }, (_, i) => {
        const [place, low] = [i % 64, bits - Math.floor(i / 64)];
        return { components: [0], start: place, end: place, high: low === bits ? 0 : low + 1, low };
      });
      return writeJpeg({ ...grey, width: 16, height: 16, progressive: true, components: [dark], scans });
    };
    const small = inScans(1);
    expect(pixels(small)[0]).toBe(128);
    // 320 scans of anything; 128 scans of 766,000 blocks each.
    expect(fault(inScans(4))).toMatchObject({ kind: 'limit', message: expect.stringContaining('scans') });
    const large = small.slice();
    large.set([7000 >> 8, 7000 & 255, 7000 >> 8, 7000 & 255], positionOf(small, 0xc2) + 5);
    expect(fault(large)).toMatchObject({ kind: 'limit' });
    // 17 scans of few blocks, but of 8,192 rows of them: each row costs its share. Two fewer are read.
    const high = (scans: number) => {
      const bytes = writeJpeg({
        ...grey,
        width: 8,
        height: 16,
        progressive: true,
        components: [dark],
        scans: Array.from({ length: scans }, (_, k) => ({
          components: [0],
          start: k,
          end: k,
          high: 0,
          low: 0,
        })),
      });
      bytes.set([0xff, 0xff], positionOf(bytes, 0xc2) + 5);
      return bytes;
    };
    expect(fault(high(17))).toMatchObject({ kind: 'limit', message: expect.stringContaining('scans') });
    expect(() => openJpeg(high(15))[Symbol.dispose]()).not.toThrow();
  });

  it('342 KB of 2,000 legal scans over 7000 × 7000', () => {
    const dark = colour.components.map((component) => ({ ...component, block: flat(0) }));
    // Every coefficient of every component bit by bit, 13 of them: 2,688 scans in a legal progression.
    const scans = Array.from({ length: 14 }, (_, step) => 13 - step)
      .flatMap((low) =>
        Array.from({ length: 64 * 3 }, (_, i) => {
          const place = Math.floor(i / 3);
          return { components: [i % 3], start: place, end: place, high: low === 13 ? 0 : low + 1, low };
        }),
      )
      .slice(0, 2000);
    const written = writeJpeg({
      ...colour,
      width: 16,
      height: 16,
      progressive: true,
      components: dark,
      scans,
    });
    written.set([7000 >> 8, 7000 & 255, 7000 >> 8, 7000 & 255], positionOf(written, 0xc2) + 5);
    const comment = new Uint8Array(Math.max(0, 342_000 - written.length));
    for (let at = 0; at < comment.length; at += 40_000) {
      const length = Math.min(40_000, comment.length - at) - 2;
      comment.set([0xff, 0xfe, length >> 8, length & 255], at);
    }
    const bytes = Uint8Array.from([...written.subarray(0, -2), ...comment, 0xff, 0xd9]);
    expect(bytes.length).toBe(342_000);
    expect(fault(bytes)).toMatchObject({ kind: 'limit', message: expect.stringContaining('scans') });
  });
});
