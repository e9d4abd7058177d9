import { describe, expect, it } from 'vitest';
import type { ImageSink } from '../../../src/api/body/image_sink.ts';
import { MAX_IMAGE_BYTES, MAX_JSON_BYTES, MAX_MULTIPART_BYTES } from '../../../src/api/body/limits.ts';
import { readUpload } from '../../../src/api/body/read.ts';
import { multipart, outcome, type Posted, post, sent, utf8 } from './bodies.ts';

const outcomeOf = (posted: Posted) => outcome(readUpload(post(posted)));
const json = '{"image":"QUJD"}';
const good = { body: json, type: 'application/json' };
const form = multipart('B', [
  { headers: ['Content-Disposition: form-data; name="image"; filename="a"'], content: '\xff' },
]);

describe('readUpload', () => {
  it.each<[Posted]>([
    [{ body: json, type: 'application/json' }],
    [{ body: json, type: 'Application/JSON; charset=UTF-8' }],
    [{ body: json, type: 'application/json; charset="utf8"' }],
    [{ body: json, type: 'application/vnd.api+json' }],
    [{ body: json, type: 'application/json', headers: { 'Content-Encoding': 'identity' } }],
    [{ body: json, type: 'application/json', query: '?utm_source=x' }],
    [{ body: utf8('ABC'), type: 'image/jpeg' }],
    [{ body: utf8('ABC'), type: 'image/x-anything; q=1' }],
    [{ body: sent([utf8('A'), utf8('BC')]).stream, type: 'IMAGE/PNG' }],
  ])('reads %j', async (posted) => {
    expect(await outcomeOf(posted)).toBe('image 65 66 67, ops undefined');
  });

  it('reads multipart/form-data', async () => {
    expect(await outcomeOf({ body: form, type: 'multipart/form-data; boundary=B' })).toBe(
      'image 195 191, ops undefined',
    );
    expect(
      await outcomeOf({ body: form, type: 'Multipart/Form-Data; charset=utf-8; boundary="B"' }),
    ).toContain('image 195');
  });

  it.each<[Posted, string]>([
    [
      { body: json, type: null },
      '415 unsupported_media_type: Expected application/json, multipart/form-data or image/*, but no Content-Type came',
    ],
    [{ body: json, type: ' ' }, 'no Content-Type came'],
    [
      { body: json, type: 'text/plain' },
      '415 unsupported_media_type: Expected application/json, multipart/form-data or image/*, but "text/plain" came',
    ],
    [
      { body: json, type: 'application/x-www-form-urlencoded' },
      '(curl -d needs -H "Content-Type: application/json")',
    ],
    [{ body: json, type: 'application/octet-stream' }, '415 unsupported_media_type'],
    [{ body: json, type: 'multipart/mixed; boundary=B' }, '415 unsupported_media_type'],
    [{ body: json, type: 'image/' }, '415 unsupported_media_type'],
    [{ body: json, type: 'json' }, '415 unsupported_media_type'],
    [
      { body: json, type: 'application/json; charset=utf-16' },
      '415 unsupported_media_type: A JSON body must be UTF-8',
    ],
    [
      { body: json, type: 'application/json', headers: { 'Content-Encoding': 'gzip' } },
      '415 unsupported_media_type: The body is compressed (Content-Encoding: "gzip")',
    ],
    [{ body: form, type: 'multipart/form-data' }, '400 bad_request: The Content-Type must give a boundary'],
    [{ body: null, type: 'application/json' }, '400 bad_request: The body is empty'],
    [{ body: null, type: 'image/jpeg' }, '400 bad_request: The body is empty'],
    [{ body: null, type: 'multipart/form-data; boundary=B' }, '400 bad_request: The form ends too early'],
    [
      { body: json, type: 'application/json', query: '?ops={}' },
      '400 bad_request: "ops" belongs in the body here',
    ],
    [
      { body: form, type: 'multipart/form-data; boundary=B', query: '?ops={}' },
      '"ops" belongs in the body here',
    ],
    [{ body: json, type: 'application/json', query: '?image_url=x' }, 'never fetched'],
    [{ body: 'x', type: 'image/jpeg', query: '?image_url=x' }, 'never fetched'],
  ])('refuses %j', async (posted, message) => {
    expect(await outcomeOf(posted)).toContain(message);
  });

  it.each([
    ['application/json', MAX_JSON_BYTES],
    ['multipart/form-data; boundary=B', MAX_MULTIPART_BYTES],
    ['image/jpeg', MAX_IMAGE_BYTES],
  ])('refuses a declared length above the limit before it reads: %s', async (type, limit) => {
    const { stream, chunksTaken, cancelled } = sent([new Uint8Array(10)]);
    const request = post({ body: stream, type, headers: { 'Content-Length': String(limit + 1) } });
    expect(await outcome(readUpload(request))).toMatch(/^413 payload_too_large: .*declares/);
    expect([chunksTaken(), cancelled(), request.body!.locked]).toEqual([0, false, false]);
    const fits = post({ body: sent([]).stream, type, headers: { 'Content-Length': String(limit) } });
    expect(await outcome(readUpload(fits))).toMatch(/^400/);
  });

  it('takes the largest image in every format, and not one byte more', {
    timeout: 120_000,
  }, async () => {
    const largest = new Uint8Array(MAX_IMAGE_BYTES);
    const over = new Uint8Array(MAX_IMAGE_BYTES + 1);
    const asJson = (image: Uint8Array) => ({
      body: `{"image":"${image.toBase64()}","ops":{}}`,
      type: 'application/json',
    });
    const asForm = (image: Uint8Array) => ({
      body: multipart('B', [
        { headers: ['Content-Disposition: form-data; name="image"; filename="a"'], content: image },
      ]),
      type: 'multipart/form-data; boundary=B',
    });
    const asRaw = (image: Uint8Array) => ({ body: image, type: 'image/png' });
    for (const write of [asJson, asForm, asRaw]) {
      expect(await outcomeOf(write(largest))).toContain(`image ${MAX_IMAGE_BYTES} bytes`);
      expect(await outcomeOf(write(over))).toMatch(/^413 payload_too_large/);
    }
  });

  it('returns every byte of forms that are larger than the network buffer', async () => {
    const image = Uint8Array.from({ length: 700_001 }, (_, i) => (i * 2654435761) >>> 13);
    const headers = ['Content-Disposition: form-data; name="image"; filename="a"'];
    const parts = [{ headers, content: image }];
    for (const padding of [0, 1, 30, 65_000, 65_400, 65_460]) {
      const ops = {
        headers: ['Content-Disposition: form-data; name="ops"'],
        content: `{"a":"${'x'.repeat(padding)}"}`,
      };
      for (const all of [
        [ops, ...parts],
        [...parts, ops],
      ]) {
        const body = multipart('B', all);
        const upload = await readUpload(post({ body, type: 'multipart/form-data; boundary=B' }));
        expect(upload.image.length).toBe(image.length);
        expect(upload.image.every((byte, i) => byte === image[i])).toBe(true);
        expect(upload.ops).toEqual({ a: 'x'.repeat(padding) });
      }
    }
  });

  it('refuses endless bodies at the limit, whatever they contain', async () => {
    function* endless(start: string, piece: Uint8Array) {
      yield utf8(start);
      while (true) yield piece;
    }
    const spaces = new Uint8Array(1024 * 1024).fill(0x20);
    const letters = new Uint8Array(1024 * 1024).fill(0x41);
    const lines = new Uint8Array(1024 * 1024).fill(0x0a);
    for (const [start, piece, type, refusal = /^413 payload_too_large/] of [
      ['{"image":"', letters, 'application/json'],
      ['{"image":"', spaces, 'application/json'],
      ['{"ops":"', letters, 'application/json'],
      ['', spaces, 'application/json'],
      ['', lines, 'multipart/form-data; boundary=B'],
      ['--B\r\n', letters, 'multipart/form-data; boundary=B', /^400 bad_request: The header of a part/],
      [
        '--B\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n',
        letters,
        'multipart/form-data; boundary=B',
      ],
      ['', letters, 'image/jpeg'],
    ] as const) {
      const { stream, cancelled, chunksTaken } = sent(endless(start, piece));
      const request = post({ body: stream, type });
      const result = await outcome(readUpload(request));
      expect(result, start).toMatch(refusal);
      expect([cancelled(), request.body!.locked]).toEqual([false, false]);
      expect(chunksTaken()).toBeLessThan(45);
    }
  });

  it('tells a sink the most bytes to expect, then passes the chunks on as they come', async () => {
    const calls: string[] = [];
    const sink: ImageSink = {
      expect: (bytes) => calls.push(`expect ${bytes}`),
      write: (chunk) => calls.push(`write ${[...chunk]}`),
      finish: () => new Uint8Array([7]),
    };
    const { stream } = sent([utf8('AB'), utf8('C')]);
    const request = post({ body: stream, type: 'image/jpeg', headers: { 'Content-Length': '3' } });
    expect(await readUpload(request, sink)).toEqual({ image: new Uint8Array([7]), ops: undefined });
    expect(calls).toEqual(['expect 3', 'write 65,66', 'write 67']);
  });

  it('leaves a refused body unlocked and uncancelled, and reads the next one', async () => {
    for (const [start, type] of [
      ['{"image":"!', 'application/json'],
      ['--B\r\nContent-Disposition: form-data; name="x"\r\n\r\n', 'multipart/form-data; boundary=B'],
      ['x', 'text/plain'],
    ] as const) {
      const bad = sent([utf8(start), ...Array.from({ length: 50 }, () => new Uint8Array(65_536))]);
      const request = post({ body: bad.stream, type });
      expect(await outcome(readUpload(request))).toMatch(/^4/);
      expect([bad.cancelled(), request.body!.locked]).toEqual([false, false]);
      expect(await outcomeOf(good)).toBe('image 65 66 67, ops undefined');
    }
  });

  it('throws bad_request if the sender disconnects', async () => {
    for (const type of ['application/json', 'multipart/form-data; boundary=B', 'image/jpeg']) {
      const { stream } = sent([utf8('{"image":"QU')], new Error('reset'));
      expect(await outcome(readUpload(post({ body: stream, type })))).toMatch(
        /^400 bad_request: The body broke off after 12 bytes/,
      );
    }
  });
});
