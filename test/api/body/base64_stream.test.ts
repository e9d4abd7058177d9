import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Base64Stream } from '../../../src/api/body/base64_stream.ts';
import { newBytes } from '../../../src/api/body/image_sink.ts';
import { cutAt, joined, latin1 } from './bodies.ts';

/** Decodes `characters` in pieces; every other one-character piece is passed to `writeByte`. */
function decode(characters: string, cuts: readonly number[] = []): Uint8Array {
  const pieces: Uint8Array[] = [];
  const stream = new Base64Stream((bytes) => pieces.push(bytes.slice()), newBytes);
  cutAt(latin1(characters), cuts).forEach((piece, i) => {
    if (piece.length === 1 && i % 2 === 1) stream.writeByte(piece[0]!);
    else stream.write(piece);
  });
  stream.finish();
  return joined(pieces);
}

const text = (bytes: Uint8Array) => String.fromCharCode(...bytes);
const cuts = fc.array(fc.nat(400), { maxLength: 12 });

describe('Base64Stream', () => {
  it('decodes both alphabets, padded or not, with white space anywhere, however it is cut', () => {
    const spaces = fc.array(fc.tuple(fc.nat(400), fc.constantFrom(' ', '\n', '\r\n', '\t', '\f')), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('base64' as const, 'base64url' as const, 'mixed' as const),
        fc.boolean(),
        spaces,
        cuts,
        (bytes, alphabet, padded, gaps, where) => {
          let characters = bytes.toBase64({
            alphabet: alphabet === 'mixed' ? 'base64' : alphabet,
            omitPadding: !padded,
          });
          if (alphabet === 'mixed') characters = characters.replace('+', '-').replace('/', '_');
          for (const [at, space] of gaps) characters = characters.slice(0, at) + space + characters.slice(at);
          expect(decode(characters, where)).toEqual(bytes);
        },
      ),
      { seed: 1, numRuns: 500 },
    );
  });

  it('decodes 200,000 bytes, more than its stage holds, in pieces of any size, with a change of alphabet', () => {
    const bytes = Uint8Array.from({ length: 200_000 }, (_, i) => (i * i * 31) >> 3);
    const standard = bytes.toBase64();
    const half = 133_332;
    const url = bytes.toBase64({ alphabet: 'base64url' });
    for (const size of [1000, 65_535, 65_536, 65_537, 300_000]) {
      const where = Array.from({ length: Math.floor(standard.length / size) }, (_, i) => (i + 1) * size);
      expect(decode(standard, where)).toEqual(bytes);
      expect(decode(url, where)).toEqual(bytes);
      expect(decode(standard.slice(0, half) + url.slice(half), where)).toEqual(bytes);
      expect(decode(url.slice(0, half) + standard.slice(half), where)).toEqual(bytes);
    }
    // One character, as of a JSON escape, finds the stage full.
    expect(decode(standard, [65_536, 65_537])).toEqual(bytes);
  });

  it('skips more white space than its stage holds', () => {
    const gap = ' '.repeat(70_000);
    expect(text(decode(`${gap}Q${gap}UJ${gap}D${gap}R${gap}EU=${gap}`))).toBe('ABCDE');
    expect(text(decode(`${gap}data:image/png;base64,${gap}QUJD`, [69_990, 70_003, 70_010]))).toBe('ABC');
  });

  it.each([
    'data:image/png;base64,QUJD',
    'DATA:IMAGE/PNG;BASE64,QUJD',
    'data:;base64,QUJD',
    'data:image/jpeg;name=a.jpg;charset=utf-8;base64,QUJD',
    'data:image/png; base64 ,QUJD',
    ' \n data:image/png;base64,QUJD',
    'data:image/png;base64, QUJD ',
  ])('skips the head of a data URL: %j', (characters) => {
    for (let i = 0; i <= characters.length; i++) expect(text(decode(characters, [i]))).toBe('ABC');
  });

  it.each([
    ['QUJD%', 'the character at position 4 is not of its alphabet'],
    ['QUJDé', 'the character at position 4 is not of its alphabet'],
    ['data:image/png;base64,QU*D', 'the character at position 24 is not of its alphabet'],
    [`  ${'QUJD'.repeat(20_000)}!`, 'the character at position 80002 is not of its alphabet'],
    [`  ${'QUJD\n'.repeat(20_000)}!`, 'the character at position 100002 is not of its alphabet'],
    ['QUJDR', 'it ends in the middle of a group'],
    ['Q', 'it ends in the middle of a group'],
    ['QQ=', 'it ends in the middle of a group'],
    ['=', 'its padding is in the wrong place'],
    ['QQ==QUJD', 'its padding is in the wrong place'],
    ['QUJD====', 'its padding is in the wrong place'],
    [`QQ==${' '.repeat(70_000)}QUJD`, 'there are characters after the padding'],
    ['_-Q', undefined],
    ['_-Q*', 'the character at position 3 is not of its alphabet'],
    ['data:image/png,QUJD', 'is a data URL that is not base64'],
    ['data:image/svg+xml;utf8,<svg/>', 'is a data URL that is not base64'],
    ['data:image/png;base64', 'is a data URL with no comma'],
    [`data:image/png;${'x'.repeat(2000)};base64,QUJD`, 'is a data URL with no comma'],
    ['https://example.com/a.jpg', 'Remote images are never fetched'],
    ['HTTP://example.com/a.jpg', 'Remote images are never fetched'],
    ['file:///etc/passwd', 'Remote images are never fetched'],
    ['s3://bucket/key', 'Remote images are never fetched'],
  ])('gives for %.60j the error: %s', (characters, message) => {
    if (message === undefined) expect(() => decode(characters)).not.toThrow();
    else expect(() => decode(characters)).toThrow(message);
  });

  it('never quotes the image in its messages', () => {
    expect(() => decode('U0VDUkVU%')).toThrow(/^(?!.*U0VD)/);
  });
});
