import { expect, it } from 'vitest';
import { inspectText } from '../../src/cli/inspect_text.ts';
import { inspect } from '../../src/library/index.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { sampleFile } from '../fixtures/samples.ts';

const result = await inspect(await sampleFile('png', drawPeople(40, 30)), { values: true });
const [block] = [{ name: 'exif' as const, start: 2, bytes: 9 }];

it('says of a file without metadata that it has none', () => {
  expect(inspectText('a.png', { ...result, blocks: [] })).toBe(
    'a.png: PNG, 40 × 30 pixels\n  It carries no metadata.\n',
  );
});

it('shows what a file says of itself in lines that it can neither forge nor turn round', () => {
  const author = { kind: 'author', value: 'x\n\u202Ey\u009B', block: 'exif', field: 'Artist' } as const;
  const values = { ...result.values!, people: [author] };
  const text = inspectText('a\nb.png', { ...result, blocks: [block], values });
  expect(text.split('\n').slice(0, 2)).toEqual([
    'a\\u000ab.png: PNG, 40 × 30 pixels',
    expect.stringContaining('x \\u202ey\\u009b'),
  ]);
});

it('tells of every thumbnail where they are asked for, and that there is none', () => {
  const size = { bytes: 900, width: 160, height: 120, differs: false };
  const thumbnails = [
    { ...size, encoding: 'jpeg', image: 'AA==', block: 'exif', field: 'JPEGInterchangeFormat' } as const,
    { ...size, encoding: 'samples', width: 0, block: 'photoshop', field: '0x040C' } as const,
  ];
  const values = { ...result.values!, thumbnails };
  expect(inspectText('a.png', { ...result, blocks: [block], values }, true)).toContain(
    '  Thumbnail in exif: JPEG, 160 × 120 pixels, 900 bytes; --json has the picture itself\n' +
      '  Thumbnail in photoshop: SAMPLES, 900 bytes\n',
  );
  expect(inspectText('a.png', result, true)).toContain('It embeds no thumbnail.\n');
  expect(inspectText('a.png', result)).not.toContain('humbnail');
});
