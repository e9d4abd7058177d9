import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arraySink, LimitedSink, newBytes } from '../../../src/api/body/image_sink.ts';
import { readJsonUpload } from '../../../src/api/body/json_body.ts';
import { openGate } from '../../../src/api/body/read_gate.ts';
import { cutAt, outcome, sent, utf8 } from './bodies.ts';

async function read(body: Uint8Array, cuts: readonly number[] = []) {
  const sink = new LimitedSink(arraySink());
  const ops = await readJsonUpload(sent(cutAt(body, cuts)).stream, undefined, sink, newBytes, openGate);
  return { image: sink.finish(), ops };
}

describe('a JSON body', () => {
  it('gives the image and the ops', async () => {
    expect(await outcome(read(utf8('{"image":"QUJD"}')))).toBe('image 65 66 67, ops undefined');
    expect(await outcome(read(utf8('{"ops":null,"image":"QUJD"}')))).toBe('image 65 66 67, ops null');
    expect(await outcome(read(utf8('{"image":"QUJD","ops":"{\\"a\\":1}"}')))).toContain('ops "{\\"a\\":1}"');
  });

  it('may name each member of the ops once', async () => {
    const twice = '{"ops":{"output":{"quality":90,"quality":30}},"image":"QUJD"}';
    expect(await outcome(read(utf8(twice)))).toBe(
      '400 invalid_ops: ops holds "output.quality" more than once.',
    );
  });

  it('gives the same however it is cut: once and twice at any offsets, and byte by byte', async () => {
    const body = utf8(
      '{"ops":{"a":["é\\u20ac😀\\""]},\n"image":"data:image\\/png;base64,QUJD\\nRE-_\\u002B\\/8="}',
    );
    const whole = await outcome(read(body));
    expect(whole).toBe('image 65 66 67 68 79 191 251 255, ops {"a":["é€😀\\""]}');
    for (let i = 0; i <= body.length; i++) expect(await outcome(read(body, [i]))).toBe(whole);
    for (let i = 0; i <= body.length; i += 3) {
      for (let j = i; j <= body.length; j += 2) expect(await outcome(read(body, [i, j]))).toBe(whole);
    }
    expect(await outcome(read(body, [...body.keys()]))).toBe(whole);
  });

  it('gives any image and any ops back, in the notations of JSON writers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.jsonValue(),
        fc.constantFrom('', ' ', '\t\n'),
        fc.array(fc.nat(500), { maxLength: 6 }),
        fc.boolean(),
        async (bytes, ops, space, cuts, escaped) => {
          let image = bytes.toBase64();
          if (escaped) image = image.replaceAll('/', '\\/').replaceAll('+', '\\u002B');
          const body = JSON.stringify({ ops, image: '@' }, null, space).replace(
            /"@"(?=[^@]*$)/,
            `"${image}"`,
          );
          const upload = await read(utf8(body), cuts);
          expect(upload.image).toEqual(bytes);
          expect(upload.ops).toEqual(JSON.parse(JSON.stringify(ops)));
        },
      ),
      { seed: 11, numRuns: 300 },
    );
  });

  it('is refused at the twentieth unknown name, however many follow', async () => {
    const names = Array.from({ length: 110_000 }, (_, i) => `"n${i}":1`);
    let taken = 0;
    function* pieces() {
      for (let at = 0; at < names.length; at += 1000) {
        taken++;
        yield utf8(`${at === 0 ? '{' : ','}${names.slice(at, at + 1000)}`);
      }
    }
    const sink = new LimitedSink(arraySink());
    const reading = readJsonUpload(sent(pieces()).stream, undefined, sink, newBytes, openGate);
    await expect(reading).rejects.toThrow('"n0", "n1", "n2", "n3", "n4" and 15 more');
    expect(taken).toBe(1);
  });

  it('gives turns while it is read, as many as its bytes and its escapes take', async () => {
    const turnsOf = async (body: string) => {
      let nanoseconds = 0;
      const spend = (spent: number) => {
        nanoseconds += spent;
        return undefined;
      };
      const cuts = Array.from({ length: 20 }, (_, i) => i * 65_536);
      const sink = new LimitedSink(arraySink());
      const { stream } = sent(cutAt(utf8(body), cuts));
      await readJsonUpload(stream, undefined, sink, newBytes, { spend }).catch(() => {});
      return nanoseconds / 1e6;
    };
    const megabyte = 1_000_000;
    const ops = (text: string) => `{"image":"QUJD","ops":${text}}`;
    expect(await turnsOf(ops(`"${'x'.repeat(megabyte)}"`))).toBeGreaterThan(50);
    expect(await turnsOf(ops(`[${'1,'.repeat(megabyte / 2)}1]`))).toBeGreaterThan(30);
    const image = await turnsOf(`{"image":"${'\\n'.repeat(megabyte / 2)}QUJD"}`);
    expect(image).toBeGreaterThan(1);
    expect(image).toBeLessThan(20);
  });

  it.each([
    ['{"image":""}', '400 bad_request: "image" is empty'],
    ['{"image":" \\n "}', '400 bad_request: "image" is empty'],
    ['{"image":"data:image/png;base64,"}', '400 bad_request: "image" is empty'],
    ['{"image":"%"}', '400 bad_request: image is not valid base64'],
    ['{"image":"Q"}', '400 bad_request: image is not valid base64'],
    ['{"image":"http://a.test/b.jpg"}', 'never fetched'],
    ['{"image":"QUJD","ops":{"a":[{"image_url":"x"}]}}', 'never fetched'],
    ['{"image":"QUJD","ops":{}', '400 bad_request: The body is not valid JSON: it ends too early'],
    ['', '400 bad_request: The body is empty'],
    ['{}', '"image" is missing'],
    ['{"ops":{}}', '"image" is missing'],
    ['{"image":"QUJD","image":"QUJD"}', 'The body holds "image" twice'],
    ['{"image":"QUJD","im\\u0061ge":1}', 'The body holds "image" twice'],
    ['{"ops":{},"image":"QUJD","ops":{}}', 'The body holds "ops" twice'],
    ['{"image_url":"https://a.test/b.jpg"}', 'Remote images are never fetched'],
    ['{"image":"QUJD","image_ur\\u006c":null}', 'Remote images are never fetched'],
    [
      '{"image":"QUJD","a":1,"b":2}',
      'The body holds "a", "b": a JSON body has only the members "image" and "ops"',
    ],
    ['{"img":"QUJD"}', 'The body holds "img"'],
    ['{"image":"QUJD","a":1,"a":2}', 'The body holds "a" twice'],
    ['{"image":"QUJD","é":1,"a\\"b":2}', 'The body holds "é", "a\\"b"'],
    ['{"image":"QUJD","__proto__":{}}', 'The body holds "__proto__"'],
    [`{"image":"q","${'n'.repeat(300)}":1}`, `The body holds "${'n'.repeat(40)}"`],
    [`{"image":"q",${[...'abcdefgh'].map((n) => `"${n}":1`)}}`, '"a", "b", "c", "d", "e" and 3 more'],
  ])('is refused, %j: %s', async (body, message) => {
    expect(await outcome(read(utf8(body)))).toContain(message);
    expect(await outcome(read(utf8(body), [...utf8(body).keys()]))).toContain(message);
  });

  it('with too much text is refused for its unknown member, if it has one', async () => {
    const photo = `{"photo":"${'Q'.repeat(1024 * 1024)}`;
    expect(await outcome(read(utf8(photo)))).toMatch(/^400 bad_request: The body holds "photo"/);
  });
});
