import { describe, expect, it } from 'vitest';
import { sentences } from '../../../src/metadata/values/sentences.ts';
import { jpeg } from '../../fixtures/jpeg_writer/segments.ts';
import { png } from '../../fixtures/metadata/small_png.ts';
import { valueFiles } from '../../fixtures/metadata/value_files.ts';
import { pngChunk } from '../../fixtures/png_writer.ts';
import { valuesOf } from './read.ts';

const values = (name: string) => valuesOf(valueFiles.find((file) => file.name === name)!.bytes)!;
const say = (name: string) => sentences(values(name));

describe('sentences', () => {
  it('tell what a phone writes', () => {
    expect(say('Exif, big-endian')).toEqual([
      'It was taken at 48.858222° S, 2.294500° W, give or take 5 m, 13 m below sea level, looking west, ' +
        'by satellite time 2024-05-31 15:02:11 UTC.',
      'It names the place: Trocadero.',
      'It was taken on 31 May 2024, 17:02:11 (UTC+02:00).',
      'It was digitised or created on 31 May 2024, 17:02:12.',
      'It was last changed on 1 June 2024, 09:00:00 (UTC+02:00).',
      'Its author is Jörg Muster.',
      'Its copyright notice: (c) 2024 Muster.',
      'It was made with Apple iPhone 99.',
      'The camera belongs to Erika Mustermann.',
      'The camera has the serial number SN-0042.',
      'The lens: Prime 28mm f/1.8.',
      'The lens has the serial number LN-7.',
      'The phone had been running for 25 hours.',
      'Software: 17.4.1.',
      'It was processed on iPhone 99.',
      'A picture generator was asked for “Steps: 20, Sampler: Euler”.',
      'Its caption reads “A café by the river”.',
      'Its keywords are river;café.',
      'It carries 2 identifiers that tie it to other files.',
      expect.stringMatching(/^It carries a smaller copy of itself: 16 × 12 pixels \(\d+ bytes\)\.$/),
      'A smaller copy has another shape than the picture: it may show what was cropped away.',
    ]);
  });

  it('tell what an editor writes', () => {
    const said = say('XMP');
    expect(said).toContain('It shows 52.520000° N, 13.410000° E.');
    expect(said).toContain('It names who is in it: Ann.');
    expect(said).toContain('It marks 3 parts of the picture, named Ann and Bob.');
    expect(said).toContain('It keeps 2 steps of its editing history.');
    expect(said).toContain('It was last changed in June 2024.');
    const texts = values('XMP').texts.filter(({ value }) => value === 'saved, Editor');
    expect(sentences({ ...values('XMP'), texts })).toContain('It keeps one step of its editing history.');
  });

  it('tell what is claimed of the origin, and that nobody checked', () => {
    expect(say('WebP with C2PA')).toEqual([
      'It carries a C2PA statement by Painter 3.1, which says: created (trainedAlgorithmicMedia). ' +
        'Nobody has checked it here.',
    ]);
  });

  it('shorten what is long, on one line', () => {
    const text = `first\n${'word '.repeat(100)}`;
    const [said] = sentences(valuesOf(png({ head: pngChunk('tEXt', 'Comment', 0, text) }))!);
    expect(said).toMatch(/^It holds the comment “first word .*…”\.$/);
    expect(said!.length).toBeLessThan(200);
  });

  it('say so when there is nothing, and when there is more', () => {
    const nothing = ['Its metadata does not mention a place, a time, a device or a person.'];
    expect(sentences(valuesOf(jpeg())!)).toEqual(nothing);
    const long = valuesOf(png({ head: pngChunk('tEXt', 'Comment', 0, 'x'.repeat(3000)) }))!;
    expect(sentences(long).at(-1)).toBe('There is more in it than is listed here.');
  });

  it('end as sentences do, whatever the file', () => {
    for (const { bytes } of valueFiles) {
      for (const said of sentences(valuesOf(bytes)!)) expect(said).toMatch(/^[A-Z].*\.$/s);
    }
  });
});
