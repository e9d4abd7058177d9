import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/api/answers/errors.ts';
import { readUpload } from '../../../src/api/body/read.ts';
import { cutAt, multipart, type Posted, post, sent, utf8 } from './bodies.ts';

const image = Uint8Array.from({ length: 90 }, (_, i) => i * 37);
const ops = '{"crop":{"x":1},"pixelate":{"regions":[{"x":-1.5e3}]},"response":"json"}';

/** A valid body of each format, to be mutated. */
const seeds: readonly { readonly type: string; readonly bytes: Uint8Array }[] = [
  {
    type: 'application/json',
    bytes: utf8(`{"image":"data:image/png;base64,${image.toBase64()}","ops":${ops}}`),
  },
  {
    type: 'multipart/form-data; boundary=--B',
    bytes: multipart('--B', [
      { headers: ['Content-Disposition: form-data; name="ops"'], content: ops },
      {
        headers: [
          'Content-Disposition: form-data; name="image"; filename="ä.png"',
          'Content-Type: image/png',
        ],
        content: image,
      },
    ]),
  },
  { type: 'image/png', bytes: image },
];

const alphabet = fc.oneof(fc.nat(255), fc.constantFrom(...utf8('"\\{}[]:,-=+/_\r\n ;%u0').values()));
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat(4),
  insert: fc.array(alphabet, { maxLength: 4 }),
});

function mutated(
  bytes: Uint8Array,
  mutations: readonly { at: number; remove: number; insert: readonly number[] }[],
) {
  let all = [...bytes];
  for (const { at, remove, insert } of mutations)
    all = all.toSpliced(Math.floor(at * all.length), remove, ...insert);
  return Uint8Array.from(all);
}

/** 'upload', or the status of the ApiError; any other error fails the test. */
async function result(posted: Posted): Promise<string> {
  try {
    const { image: read } = await readUpload(post(posted));
    return read.length > 0 ? 'upload' : 'no bytes';
  } catch (error) {
    if (error instanceof ApiError) return String(error.status);
    throw error;
  }
}

describe('mutated bodies', () => {
  it('are an upload or a 4xx, however they are cut into chunks', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2),
        fc.nat(2),
        fc.array(mutation, { maxLength: 4 }),
        fc.array(fc.nat(400), { maxLength: 4 }),
        fc.boolean(),
        async (of, type, mutations, cuts, ownType) => {
          const body = sent(cutAt(mutated(seeds[of]!.bytes, mutations), cuts)).stream;
          const got = await result({ body, type: seeds[ownType ? of : type]!.type });
          seen.set(got, (seen.get(got) ?? 0) + 1);
          expect(got).toMatch(/^(upload|400|413)$/);
        },
      ),
      { seed: 42, numRuns: 3000 },
    );
    expect(seen.get('upload')).toBeGreaterThan(300);
    expect(seen.get('400')).toBeGreaterThan(300);
  });

  it('are so with mutated content types and query strings, too', async () => {
    const text = fc
      .string({ unit: 'binary-ascii', maxLength: 30 })
      .map((s) => s.replace(/[^\x20-\x7e]/g, ' '));
    await fc.assert(
      fc.asyncProperty(fc.nat(2), text, fc.nat(40), fc.webQueryParameters(), async (of, junk, at, query) => {
        const { type, bytes } = seeds[of]!;
        const got = await result({
          body: sent([bytes]).stream,
          type: type.slice(0, at) + junk + type.slice(at),
          query: `?${query}`,
        });
        expect(got).toMatch(/^(upload|400|413|415)$/);
      }),
      { seed: 43, numRuns: 1000 },
    );
  });
});
