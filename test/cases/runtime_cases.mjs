// Runs in every runtime that the package is for, as it stands: in a folder with the package installed, and
// images and `cases.json` beside it. Prints what came as one line of JSON. No `using`: Node 20 and 22 have
// none.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { detect, ImageError, inspect, sanitize } from 'image-sanitizer';
import { ImageSanitizer, SanitizerError } from 'image-sanitizer/client';
import { createSanitizer } from 'image-sanitizer/worker';

const { images, outputs, address, key } = JSON.parse(await readFile('cases.json', 'utf8'));
const photo = await readFile(images[0]);

/** SHA-256 of the bytes, in hexadecimal. */
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** What a call rejects with: its class, where that is one of the package's, and its code or message. */
const failureOf = (call) =>
  call.then(
    () => 'none',
    (error) => {
      if (error instanceof ImageError) return `ImageError ${error.code}`;
      if (error instanceof SanitizerError) return `SanitizerError ${error.code} ${error.status}`;
      return `${error.name} ${error.message}`;
    },
  );

/** Aborted before the call, and as soon as it tells that it is on its way. */
async function aborted(api) {
  const controller = new AbortController();
  const before = failureOf(api.sanitize(photo, {}, { signal: AbortSignal.abort(new Error('at once')) }));
  const onProgress = () => controller.abort(new Error('enough'));
  const underway = failureOf(api.sanitize(photo, {}, { signal: controller.signal, onProgress }));
  return [await before, await underway];
}

/** The calls that the library and its pool have in common. */
async function tried(api) {
  const noImage = new Uint8Array(9);
  return {
    faces: (await api.detect(photo)).faces.length,
    blocks: (await api.inspect(photo)).blocks.length,
    refused: [
      await failureOf(api.sanitize(noImage)),
      await failureOf(api.detect(noImage)),
      await failureOf(api.inspect(noImage)),
      await failureOf(api.sanitize(photo, { output: { format: 'gif' } })),
    ],
    aborted: await aborted(api),
    // after all that
    hash: hashOf((await api.sanitize(photo)).bytes),
  };
}

const hashes = {};
for (const image of images) {
  const file = await readFile(image);
  for (const format of outputs) {
    hashes[`${image} ${format}`] = hashOf((await sanitize(file, { output: { format } })).bytes);
  }
}

const pool = createSanitizer({ workers: 1 });
let onThread;
try {
  onThread = await tried(pool);
} finally {
  pool.close();
}

const client = new ImageSanitizer({ baseUrl: address, apiKey: key });
const nobody = new ImageSanitizer({ baseUrl: 'http://127.0.0.1:1', retry: { attempts: 1 } });
const signal = AbortSignal.abort(new Error('at once'));
const byClient = {
  width: (await client.inspect(photo)).width,
  faces: (await client.detect(photo)).faces.length,
  hash: hashOf(new Uint8Array(await (await client.sanitize(photo)).image.arrayBuffer())),
  refused: [
    await failureOf(client.sanitize(new Uint8Array(9))),
    await failureOf(nobody.health()),
    await failureOf(client.sanitize(photo, {}, { signal })),
  ],
};

console.log(
  JSON.stringify({ hashes, onMain: await tried({ sanitize, detect, inspect }), onThread, byClient }),
);
