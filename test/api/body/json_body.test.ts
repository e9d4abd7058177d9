import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arraySink, LimitedSink, newBytes } from '../../../src/api/body/image_sink.ts';
import { readJson } from '../../../src/api/body/json_body.ts';
import { cutAt, outcome, sent, utf8 } from './bodies.ts';

async function read(body: Uint8Array, cuts: readonly number[] = []) {
  const sink = new LimitedSink(arraySink());
  const ops = await readJson(sent(cutAt(body, cuts)).stream, undefined, sink, newBytes);
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
  ])('is refused, %j: %s', async (body, message) => {
    expect(await outcome(read(utf8(body)))).toContain(message);
  });
});
