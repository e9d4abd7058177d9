import { Dicer } from '@fastify/busboy';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { arraySink, LimitedSink, newBytes } from '../../../src/api/body/image_sink.ts';
import { MAX_IMAGE_BYTES, MAX_OPS_BYTES } from '../../../src/api/body/limits.ts';
import { readMultipart } from '../../../src/api/body/multipart_body.ts';
import { cutAt, joined, latin1, multipart, outcome, post, sent, utf8 } from './bodies.ts';

async function read(boundary: string | undefined, pieces: Iterable<Uint8Array>) {
  const sink = new LimitedSink(arraySink());
  const ops = await readMultipart(sent(pieces).stream, undefined, boundary, sink, newBytes);
  return { image: sink.finish(), ops };
}

const file = 'Content-Disposition: form-data; name="image"; filename="a.jpg"';
const jpeg = 'Content-Type: image/jpeg';
const opsField = 'Content-Disposition: form-data; name="ops"';
const pixels = new Uint8Array([0xff, 0xd8, 1, 2]);

/** The outcome of reading a body in one chunk with the boundary `B`. */
const outcomeOf = (body: Uint8Array) => outcome(read('B', [body]));

describe('multipart/form-data', () => {
  it.each([
    [
      'image first',
      [
        { headers: [file, jpeg], content: pixels },
        { headers: [opsField], content: '{"a":1}' },
      ],
    ],
    [
      'ops first',
      [
        { headers: [opsField], content: '{"a":1}' },
        { headers: [file, jpeg], content: pixels },
      ],
    ],
    [
      'header names in any case, parameters unquoted',
      [
        { headers: ['CONTENT-DISPOSITION: FORM-DATA;NAME=image;FILENAME=a.jpg'], content: pixels },
        {
          headers: ['content-disposition:form-data; name=ops', 'Content-Type: application/json'],
          content: ' {"a": 1}\n',
        },
      ],
    ],
  ])('is read with %s', async (_, parts) => {
    expect(await outcomeOf(multipart('B', parts))).toBe('image 255 216 1 2, ops {"a":1}');
  });

  it('is read with transport padding behind boundaries, however it is cut', async () => {
    const padded = joined([
      latin1(`--B \t \r\n${opsField}\r\n\r\n{"a":1}\r\n--B  \r\n${file}\r\n\r\n`),
      pixels,
      latin1('\r\n--B-- \t\r\n'),
    ]);
    for (let cut = 0; cut < padded.length; cut++) {
      const found = await outcome(read('B', cutAt(padded, [cut])));
      expect([cut, found]).toEqual([cut, 'image 255 216 1 2, ops {"a":1}']);
    }
    // Other text there is a header line that is none.
    const text = joined([latin1(`--B x\r\n${file}\r\n\r\n`), pixels, latin1('\r\n--B--\r\n')]);
    expect(await outcomeOf(text)).toMatch(/^400 bad_request/);
  });

  it('is read with any file name, or none', async () => {
    const names = [
      'filename="фото 😀.jpg"',
      'filename=""',
      'filename="a\\"b;c.jpg"',
      'filename="C:\\x\\"',
      "filename*=UTF-8''%F0%9F",
    ];
    for (const name of names) {
      const headers = [`Content-Disposition: form-data; name="image"; ${name}`];
      expect(await outcomeOf(multipart('B', [{ headers, content: pixels }])), name).toContain(
        'image 255 216 1 2',
      );
    }
    const nameless = [{ headers: ['Content-Disposition: form-data; name="image"'], content: pixels }];
    expect(await outcomeOf(multipart('B', nameless))).toBe('image 255 216 1 2, ops undefined');
  });

  it('has no ops if that part is empty', async () => {
    const parts = [
      { headers: [file], content: pixels },
      { headers: [opsField], content: '' },
    ];
    expect(await outcomeOf(multipart('B', parts))).toBe('image 255 216 1 2, ops undefined');
  });

  it('has part headers of at most 16 KB', async () => {
    const withHeader = (bytes: number, place: 'first' | 'second', lines = 1) => {
      const ending = 4;
      const line = (length: number) => `X-Filler: ${'x'.repeat(length - 'X-Filler: '.length)}`;
      const left = bytes - file.length - ending - 2 * lines;
      const fillers = Array.from({ length: lines }, (_, i) =>
        line(Math.floor(left / lines) + (i === 0 ? left % lines : 0)),
      );
      const image = { headers: [file, ...fillers], content: pixels };
      const ops = { headers: [opsField], content: '{"a":1}' };
      return multipart('B', place === 'first' ? [image, ops] : [ops, image]);
    };
    const found6 = 'image 255 216 1 2, ops {"a":1}';
    const refused = '400 bad_request: The header of a part is larger than 16 KB (16384 bytes).';
    // From the line break after the boundary to the blank line.
    const largest = 16 * 1024 - 2;
    for (const place of ['first', 'second'] as const) {
      expect(await outcomeOf(withHeader(largest, place))).toBe(found6);
      expect(await outcomeOf(withHeader(largest + 1, place))).toBe(refused);
      for (const lines of [1, 40, 100]) {
        const body = withHeader(200_000, place, lines);
        expect(await outcomeOf(body)).toBe(refused);
        expect(await outcome(read('B', cutAt(body, [1000, 16_390, 100_000, 150_000])))).toBe(refused);
      }
    }
  });

  it('is read without what is before the first boundary and after the last', async () => {
    const body = multipart('B', [{ headers: [file], content: pixels }]);
    const around = joined([utf8('preamble\r\n'), body, utf8('epilogue\r\n--B\r\n')]);
    for (let i = 0; i <= around.length; i++) {
      expect(await outcome(read('B', cutAt(around, [i])))).toBe('image 255 216 1 2, ops undefined');
    }
  });

  it('gives the same however it is cut into chunks, with content that looks like boundaries', async () => {
    const boundary = '--B-';
    const tricky = '\r\n----B\r\n\r\n--\r\n----B\r-----B-\r\n---\r\n----';
    const body = multipart(boundary, [
      { headers: [file, jpeg, 'X-Other:   spaced '], content: tricky },
      { headers: [opsField], content: '{"a":"--B---"}' },
    ]);
    const expected = `image ${[...utf8(tricky)].join(' ')}, ops {"a":"--B---"}`;
    for (let i = 0; i <= body.length; i++)
      expect(await outcome(read(boundary, cutAt(body, [i])))).toBe(expected);
    const cuts = fc.array(fc.nat(body.length), { minLength: 2, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(cuts, async (where) => {
        expect(await outcome(read(boundary, cutAt(body, where)))).toBe(expected);
      }),
      { seed: 3, numRuns: 300 },
    );
    expect(await outcome(read(boundary, cutAt(body, [...body.keys()])))).toBe(expected);
  });

  it('is read as the runtime writes and reads it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 3000 }),
        fc.jsonValue(),
        fc.boolean(),
        async (bytes, ops, first) => {
          const form = new FormData();
          if (first) form.append('ops', JSON.stringify(ops));
          form.append('image', new File([bytes], 'ä.png', { type: 'image/png' }));
          if (!first) form.append('ops', JSON.stringify(ops));
          const request = new Request('https://a.test', { method: 'POST', body: form });
          const boundary = request.headers.get('Content-Type')!.split('boundary=')[1]!;
          const wire = new Uint8Array(await request.arrayBuffer());
          const ours = await read(boundary.replaceAll('"', ''), cutAt(wire, [700, 1500]));
          expect(ours.image).toEqual(bytes);
          expect(ours.ops).toEqual(JSON.parse(JSON.stringify(ops)));
          const theirs = await post({ body: wire, type: request.headers.get('Content-Type') }).formData();
          const image = theirs.get('image') as File;
          expect(ours.image).toEqual(new Uint8Array(await image.arrayBuffer()));
        },
      ),
      { seed: 5, numRuns: 60 },
    );
  });

  it.each<[string, Uint8Array, string]>([
    ['nothing', utf8(''), '400 bad_request: The form ends too early'],
    ['no boundary anywhere', utf8('hello'), '400 bad_request: The form ends too early'],
    ['no parts', utf8('--B--\r\n'), '400 bad_request: The form has no part "image"'],
    [
      'ops only',
      multipart('B', [{ headers: [opsField], content: '{}' }]),
      '400 bad_request: The form has no part "image"',
    ],
    [
      'an empty image',
      multipart('B', [{ headers: [file], content: '' }]),
      '400 bad_request: The part "image" is empty',
    ],
    [
      'two images',
      multipart('B', [
        { headers: [file], content: pixels },
        { headers: [file], content: pixels },
      ]),
      '400 bad_request: The form holds two parts "image"',
    ],
    [
      'two ops',
      multipart('B', [
        { headers: [opsField], content: '{}' },
        { headers: [opsField], content: '{}' },
      ]),
      '400 bad_request: The form holds two parts "ops"',
    ],
    [
      'an unknown part',
      multipart('B', [
        { headers: ['Content-Disposition: form-data; name="photo"; filename="a"'], content: pixels },
      ]),
      '400 bad_request: The form holds a part "photo"',
    ],
    [
      'image_url',
      multipart('B', [
        { headers: ['Content-Disposition: form-data; name="image_url"'], content: 'https://a.test' },
      ]),
      'never fetched',
    ],
    [
      'image_url in ops',
      multipart('B', [
        { headers: [file], content: pixels },
        { headers: [opsField], content: '{"a":{"image_url":1}}' },
      ]),
      'never fetched',
    ],
    [
      'ops that is no JSON',
      multipart('B', [
        { headers: [file], content: pixels },
        { headers: [opsField], content: '{a:1}' },
      ]),
      '400 bad_request: ops is not valid JSON',
    ],
    [
      'ops that is not UTF-8',
      multipart('B', [
        { headers: [file], content: pixels },
        { headers: [opsField], content: latin1('"\xff"') },
      ]),
      '400 bad_request: The text of the body is not valid UTF-8',
    ],
    [
      'ops beyond 1 MB',
      multipart('B', [{ headers: [opsField], content: new Uint8Array(MAX_OPS_BYTES + 1).fill(0x20) }]),
      '413 payload_too_large: The part "ops" is larger than 1 MB',
    ],
    [
      'an image beyond 25 MB',
      multipart('B', [{ headers: [file], content: new Uint8Array(MAX_IMAGE_BYTES + 1) }]),
      '413 payload_too_large: The image is larger than 25 MB',
    ],
    [
      'a part with no name',
      multipart('B', [{ headers: ['Content-Disposition: form-data'], content: pixels }]),
      '400 bad_request: A part of the form has no Content-Disposition',
    ],
    [
      'a part with no disposition',
      multipart('B', [{ headers: [jpeg], content: pixels }]),
      '400 bad_request: A part of the form has no Content-Disposition',
    ],
    [
      'an attachment',
      multipart('B', [{ headers: ['Content-Disposition: attachment; name="image"'], content: pixels }]),
      '400 bad_request: A part of the form has no Content-Disposition',
    ],
    [
      'a part with no header',
      utf8('--B\r\n\r\nabc\r\n--B--'),
      '400 bad_request: A part of the form has no Content-Disposition',
    ],
    [
      'a header without its end',
      utf8(`--B\r\n${file}\r\n--B--`),
      '400 bad_request: A part of the form has no complete header',
    ],
    [
      'a header too large',
      multipart('B', [{ headers: [`X-Long: ${'x'.repeat(20_000)}`, file], content: pixels }]),
      '400 bad_request: A part of the form has no Content-Disposition',
    ],
    ['bare line feeds', utf8(`--B\n${file}\n\nabc\n--B--\n`), '400 bad_request: '],
    [
      'base64 as its transfer encoding',
      multipart('B', [{ headers: [file, 'Content-Transfer-Encoding: base64'], content: '/9j/' }]),
      '400 bad_request: The part "image" is encoded as "base64"',
    ],
    [
      'a file name for the image',
      multipart('B', [{ headers: ['Content-Disposition: form-data; name="image"'], content: 'photo.jpg' }]),
      '400 bad_request: The part "image" holds text',
    ],
    [
      'an address for the image',
      multipart('B', [
        { headers: ['Content-Disposition: form-data; name="image"'], content: 'https://a.test/b.jpg' },
      ]),
      'never fetched',
    ],
  ])('is refused with a message that names the problem: %s', async (_, body, message) => {
    expect(await outcomeOf(body)).toContain(message);
  });

  it('is refused if it is cut short anywhere', async () => {
    const body = multipart('B', [
      { headers: [file, jpeg], content: pixels },
      { headers: [opsField], content: '{}' },
    ]);
    const closing = body.length - 2;
    for (let length = 0; length < closing; length++) {
      expect(await outcomeOf(body.subarray(0, length)), `${length} bytes`).toMatch(
        /^400 bad_request: (The form ends too early|A part)/,
      );
    }
    expect(await outcomeOf(body.subarray(0, closing))).toBe('image 255 216 1 2, ops {}');
  });

  it.each([undefined, '', 'x'.repeat(71), 'tail ', 'b\x00', 'bé'])(
    'is refused with the boundary %j',
    async (boundary) => {
      expect(await outcome(read(boundary, []))).toContain(
        '400 bad_request: The Content-Type must give a boundary',
      );
    },
  );

  it.each(["a'()+_,-./:=? 9", 'x'.repeat(70), '-', '------'])(
    'is read with the boundary %j',
    async (boundary) => {
      const body = multipart(boundary, [{ headers: [file], content: pixels }]);
      expect(await outcome(read(boundary, cutAt(body, [1, 20, body.length - 4])))).toContain(
        'image 255 216 1 2',
      );
    },
  );

  it('is not read further once it is refused', async () => {
    const start = multipart('B', [
      { headers: ['Content-Disposition: form-data; name="photo"'], content: pixels },
    ]);
    const pieces = sent([
      start.subarray(0, -8),
      ...Array.from({ length: 100 }, () => new Uint8Array(65_536)),
    ]);
    const sink = new LimitedSink(arraySink());
    await expect(readMultipart(pieces.stream, undefined, 'B', sink, newBytes)).rejects.toThrow('"photo"');
    expect(pieces.chunksTaken()).toBeLessThan(4);
    expect(pieces.cancelled()).toBe(true);
  });
});

it('counts every byte that it splits as work: a picture of nothing but line breaks held the thread', async () => {
  const breaks = latin1('\r\n'.repeat(100_000));
  const body = multipart('B', [{ headers: [file], content: breaks }]);
  const spent: number[] = [];
  const spend = (nanoseconds: number) => void spent.push(nanoseconds);
  const sink = new LimitedSink(arraySink());
  const { stream } = sent(cutAt(body, [60_000, 120_000, 180_000]));
  await readMultipart(stream, undefined, 'B', sink, newBytes, { spend: spend as () => undefined });
  expect(spent).toHaveLength(4);
  expect(spent.reduce((sum, nanoseconds) => sum + nanoseconds, 0)).toBe(3 * body.length);
});

it('stops at a part that is one of many, before the rest of what has come is parsed', async () => {
  let begun = 0;
  const many = latin1('--B\r\n\r\n\r\n'.repeat(50_000));
  const emit = Dicer.prototype.emit;
  vi.spyOn(Dicer.prototype, 'emit').mockImplementation(function (this: Dicer, ...given: unknown[]) {
    if (given[0] === 'part') begun++;
    return emit.apply(this, given as never);
  });
  try {
    // Its first part is refused as well: which of the two is told depends on how the body is cut.
    expect(await outcomeOf(many)).toMatch(/^400 bad_request: (The form holds more than 64|A part of the) /);
    expect(begun).toBeLessThan(100);
  } finally {
    vi.restoreAllMocks();
  }
});
