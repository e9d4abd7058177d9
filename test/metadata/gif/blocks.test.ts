import { describe, expect, it } from 'vitest';
import { Cursor } from '../../../src/metadata/cursor.ts';
import { gifBlocks, gifImage, gifScreen, Introducer, subBlockAt } from '../../../src/metadata/gif/blocks.ts';
import { bytes, type Part, u16 } from '../../fixtures/bytes.ts';
import { comment } from '../../fixtures/gif_writer.ts';
import { frame, gif } from '../../fixtures/metadata/gif_files.ts';

/** Where the blocks of `gif` begin: 13 bytes of header, a palette of two colours. */
const FIRST = 19;
const blocksOf = (blocks: Part, end: Part = 0x3b) => {
  const cursor = new Cursor(gif(blocks, end));
  return [...gifBlocks(cursor, gifScreen(cursor).end)];
};

describe('the header of a GIF', () => {
  it('tells the size and where the palette lies', () => {
    expect(gifScreen(new Cursor(gif([])))).toEqual({
      width: 7,
      height: 6,
      palette: { start: 13, end: FIRST },
      end: FIRST,
      truncated: false,
    });
    const none = bytes('GIF89a', u16(7, true), u16(6, true), 0x07, 0, 0, 0x3b);
    expect(gifScreen(new Cursor(none))).toMatchObject({ palette: null, end: 13, truncated: false });
    const large = bytes('GIF89a', u16(7, true), u16(6, true), 0x87, 0, 0, 0x3b);
    expect(gifScreen(new Cursor(large)).palette).toEqual({ start: 13, end: 13 + 768 });
  });

  it('says when it is cut, and what is known until then', () => {
    const file = gif([]);
    expect(gifScreen(new Cursor(file.subarray(0, 12)))).toMatchObject({ width: 7, truncated: true });
    expect(gifScreen(new Cursor(file.subarray(0, 6)))).toMatchObject({
      width: 0,
      height: 0,
      palette: null,
      truncated: true,
    });
  });
});

describe('the blocks of a GIF', () => {
  const { extension, image, trailer } = Introducer;
  const note = comment('x');

  it('come in order to the trailer, terminators too many among them', () => {
    const behind = FIRST + note.length + frame().length;
    expect(blocksOf([note, frame(), 0], [0x3b, 'PK'])).toEqual([
      { introducer: extension, start: FIRST, end: FIRST + note.length, truncated: false },
      { introducer: image, start: FIRST + note.length, end: behind, truncated: false },
      { introducer: 0, start: behind, end: behind + 1, truncated: false },
      { introducer: trailer, start: behind + 1, end: behind + 2, truncated: false },
    ]);
  });

  it('end with what is no block', () => {
    expect(blocksOf(note, ['junk', frame()]).at(-1)).toEqual({
      introducer: 0x6a,
      start: FIRST + note.length,
      end: FIRST + note.length,
      truncated: false,
    });
    expect(blocksOf(note, [])).toHaveLength(1);
  });

  it.each<[string, Uint8Array]>([
    ['inside a sub-block', frame().subarray(0, -3)],
    ['before the terminator', frame().subarray(0, -1)],
    ['before the bits of a literal', frame().subarray(0, 10)],
    ['inside the descriptor', frame().subarray(0, 9)],
    ['inside an extension', note.subarray(0, 3)],
    ['behind an introducer', note.subarray(0, 1)],
  ])('that are cut %s say so', (_, cut) => {
    expect(blocksOf(cut, [])).toEqual([
      { introducer: cut[0], start: FIRST, end: FIRST + cut.length, truncated: true },
    ]);
  });
});

describe('an image of a GIF', () => {
  it('has its place, its own palette, and its data behind these', () => {
    const place = [u16(1, true), u16(2, true), u16(3, true), u16(4, true)];
    const local = new Cursor(bytes(0x2c, place, 0xc1, new Uint8Array(12), 8));
    expect(gifImage(local, 0)).toEqual({
      left: 1,
      top: 2,
      width: 3,
      height: 4,
      interlaced: true,
      palette: { start: 10, end: 22 },
      literalBitsAt: 22,
    });
    const plain = new Cursor(bytes(0x2c, place, 0, 8));
    expect(gifImage(plain, 0)).toMatchObject({ interlaced: false, palette: null, literalBitsAt: 10 });
    expect(gifImage(new Cursor(bytes(0x2c, place)), 0)).toBeNull();
  });
});

describe('a sub-block of a GIF', () => {
  it('lies behind its length byte, clipped to the file', () => {
    const cursor = new Cursor(Uint8Array.of(2, 7, 7, 5, 9, 9));
    expect(subBlockAt(cursor, 0)).toEqual({ start: 1, end: 3 });
    expect(subBlockAt(cursor, 3)).toEqual({ start: 4, end: 6 });
    expect(subBlockAt(cursor, 6)).toBeNull();
    expect(subBlockAt(new Cursor(Uint8Array.of(0, 1)), 0)).toBeNull();
  });
});
