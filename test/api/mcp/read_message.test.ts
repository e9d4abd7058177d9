import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/api/answers/errors.ts';
import { arraySink } from '../../../src/api/body/image_sink.ts';
import { openGate } from '../../../src/api/body/read_gate.ts';
import { readMessage } from '../../../src/api/mcp/read_message.ts';

/** A request whose body arrives in chunks of this many bytes, and how many of them were taken. */
function inChunks(body: string, size: number) {
  const bytes = new TextEncoder().encode(body);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at >= bytes.length) controller.close();
        else controller.enqueue(bytes.subarray(at, at + size));
        at += size;
      },
    },
    { highWaterMark: 0 },
  );
  return { request: new Request('https://service.test/', { method: 'POST', body: stream }), sent: () => at };
}

const admitted = async () => undefined;

const read = (body: string, size = 1 << 16, admit: () => Promise<ApiError | undefined> = admitted) =>
  readMessage(inChunks(body, size).request, arraySink(), openGate, admit);

const noise = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 197 + (i >> 3)) & 255);

const call = (image: string, before = '') => `{${before}"params":{"arguments":{"image":"${image}"}},"id":7}`;

describe('a message', () => {
  test('without an image is parsed as by JSON.parse, however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 40 }),
        async (value, size) => {
          const json = JSON.stringify(value);
          expect(await read(json, size)).toEqual({
            value: JSON.parse(json),
            duplicates: [],
            hasImage: false,
            textBytes: new TextEncoder().encode(json).length,
            image: undefined,
            imageError: undefined,
          });
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });

  test.each([
    ['', -32700],
    ['{', -32700],
    ['{"a":}', -32700],
    ['{"open', -32700],
    ['xothing', -32700],
    ['{"a":1}}', -32700],
    ['{"a":"\xff\\x"}', -32700],
    ['[{"jsonrpc":"2.0"}]', -32600],
    ['"text"', -32600],
    ['7', -32600],
  ])('that is %j is refused with %i', async (body, code) => {
    await expect(read(body)).rejects.toMatchObject({ code, status: 400 });
  });

  test('nests no deeper than other bodies, whatever a name repeated at the bottom would cost', async () => {
    const deep = `{"jsonrpc":"2.0","params":${'['.repeat(100_000)}{${'"b":1,'.repeat(20_000)}"b":1}`;
    await expect(read(deep)).rejects.toThrow('nested deeper than 32 levels');
  });

  test('that is too long is payload_too_large', async () => {
    const members = Array.from({ length: 300 }, (_, i) => `"${i}":"${'x'.repeat(4000)}"`);
    await expect(read(`{${members.join()}}`)).rejects.toMatchObject({ code: 'payload_too_large' });
  });
});

describe('the image of a message', () => {
  test('is decoded, however long it is, however it is cut and whatever is escaped', async () => {
    for (const image of [noise(90), noise(9001)]) {
      const plain = image.toBase64();
      const wrapped = plain.replace(/.{76}/g, '$&\\r\\n');
      const escaped = wrapped.replaceAll('/', '\\/').replaceAll('+', '\\u002B');
      const every = plain.replace(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
      for (const text of [plain, escaped, every, `data:image/png;base64,${plain}`]) {
        for (const size of [1, 7, 4099, 1 << 16]) {
          const message = await read(call(text, '"b":"short",'), size);
          expect(message.value).toEqual({ b: 'short', params: { arguments: { image: '' } }, id: 7 });
          expect(message.image).toEqual(image);
          expect(message.imageError).toBeUndefined();
        }
      }
    }
  });

  test('that is no base64 gives an imageError, and the rest is read', async () => {
    for (const text of [`${'A'.repeat(9000)}!`, '!', 'A'.repeat(9001), `${'A'.repeat(8000)}\\u00e9`]) {
      const message = await read(call(text));
      expect(message.value).toMatchObject({ id: 7 });
      expect(message.imageError).toMatchObject({ code: 'bad_request' });
      expect(message.image).toBeUndefined();
    }
  });

  test('of another kind is left to the tool', async () => {
    for (const image of ['null', '7', '["QUJD"]']) {
      const message = await read(`{"params":{"arguments":{"image":${image}}}}`);
      expect(message).toMatchObject({ value: { params: { arguments: { image: JSON.parse(image) } } } });
      expect(message.hasImage).toBe(false);
    }
  });

  test('that never ends, or has an invalid escape, is a parse error', async () => {
    for (const text of [
      `{"params":{"arguments":{"image":"${'A'.repeat(9000)}`,
      call('AA\\x'),
      call('AA\\u12'),
    ])
      await expect(read(text)).rejects.toMatchObject({ code: -32700 });
  });

  test('of more than 25 MB gives the imageError payload_too_large', async () => {
    const text = 'A'.repeat(Math.ceil((25 * 1024 * 1024) / 3) * 4 + 4);
    expect((await read(call(text))).imageError).toMatchObject({ code: 'payload_too_large' });
  });
});

describe('the caller of a message', () => {
  const LARGE = noise(300_000).toBase64();
  const refusal = new ApiError('rate_limit_exceeded', 'Too soon.');

  /** Reads a message in the network's pieces; the bytes that were taken when its caller was asked for. */
  async function asked(body: string, answer: ApiError | undefined) {
    const { request, sent } = inChunks(body, 65_536);
    const asking: number[] = [];
    const gates: number[] = [];
    const gate = { ...openGate, admit: (bytes: number) => void gates.push(bytes) };
    const admit = async () => {
      asking.push(sent());
      return answer;
    };
    return { asking, gates, message: await readMessage(request, arraySink(), gate, admit) };
  }

  test('is asked for once, before more of an image is taken, wherever it stands', async () => {
    const name = '"method":"tools/call",';
    for (const body of [
      call(LARGE),
      call(LARGE, name),
      `${call(LARGE).slice(0, -1)},${name.slice(0, -1)}}`,
    ]) {
      const { asking, message } = await asked(body, undefined);
      expect(asking).toEqual([65_536]);
      expect(message.image).toEqual(noise(300_000));
    }
  });

  test('is asked for only where a message is not small', async () => {
    expect((await asked(call(noise(30_000).toBase64()), undefined)).asking).toEqual([]);
    const late = call(LARGE, `"text":"${'x'.repeat(200_000)}",`);
    expect((await asked(late, undefined)).asking).toEqual([65_536]);
  });

  test('is asked for before a long text, too: a megabyte of JSON was parsed for anybody, as often as he liked', async () => {
    const text = `{"id":7,"text":"${'x'.repeat(200_000)}"}`;
    const admitted = await asked(text, undefined);
    expect(admitted.asking).toEqual([65_536]);
    expect(admitted.message.value).toMatchObject({ id: 7 });
    const { request, sent } = inChunks(text, 65_536);
    await expect(readMessage(request, arraySink(), openGate, async () => refusal)).rejects.toBe(refusal);
    expect(sent()).toBe(65_536);
  });

  test('who is refused takes no more memory; the message is read for its id', async () => {
    const { message, gates } = await asked(call(LARGE), refusal);
    expect(message.image).toBeUndefined();
    expect(message.imageError).toBe(refusal);
    expect(message.value).toMatchObject({ id: 7 });
    expect(gates).toEqual([65_536]);
  });
});
