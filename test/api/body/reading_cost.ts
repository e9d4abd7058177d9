import { Buffer } from 'node:buffer';
import { MAX_IMAGE_BYTES } from '../../../src/api/body/limits.ts';
import { readUpload } from '../../../src/api/body/read.ts';
import { post, sent, utf8 } from './bodies.ts';

/**
 * A program that memory.node.test.ts runs in its own process: reads a 25 MB image in each body format and
 * prints, as JSON, the most bytes of buffers that the process held besides the image. Needs --expose-gc.
 */

// Node 24 lacks Uint8Array.prototype.setFromBase64, which the Workers runtime has. This replacement is for
// base64 without white space only.
Uint8Array.prototype.setFromBase64 ??= function (this: Uint8Array, text: string) {
  const read = text.length - (text.length % 4);
  const target = Buffer.from(this.buffer, this.byteOffset, this.byteLength);
  return { read, written: target.write(text.slice(0, read), 'base64') };
};

const collect = (globalThis as { gc(): void }).gc;

function held(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}

/** Bytes of buffers held once those of the last reading are collected. */
async function heldAfterCollection(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve));
    collect();
  }
  return held();
}

const piece = new Uint8Array(49_152).fill(0x5a);
const base64 = utf8(Buffer.from(piece).toString('base64'));
const blocks = Math.floor(MAX_IMAGE_BYTES / piece.length);
const size = blocks * piece.length;

/** A body of `start`, many blocks, and `end`; measures the buffers held every 10 blocks. */
function measured(start: string, block: Uint8Array, end: string) {
  let peak = 0;
  function* pieces() {
    yield utf8(start);
    for (let i = 0; i < blocks; i++) {
      if (i % 10 === 0) peak = Math.max(peak, held());
      yield block;
    }
    yield utf8(end);
    peak = Math.max(peak, held());
  }
  const length = utf8(start).length + blocks * block.length + utf8(end).length;
  return { stream: sent(pieces()).stream, length, peak: () => peak };
}

const forms: Readonly<Record<string, [start: string, block: Uint8Array, end: string]>> = {
  'application/json': ['{"image":"', base64, '"}'],
  'multipart/form-data; boundary=B': [
    '--B\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n',
    piece,
    '\r\n--B--\r\n',
  ],
  'image/jpeg': ['', piece, ''],
};

async function beyondImage(type: string, declared: boolean): Promise<number> {
  const before = await heldAfterCollection();
  const { stream, length, peak } = measured(...forms[type]!);
  const headers: Record<string, string> = declared ? { 'Content-Length': String(length) } : {};
  const { image } = await readUpload(post({ body: stream, type, headers }));
  if (image.length !== size || image[0] !== 0x5a || image[size - 1] !== 0x5a)
    throw new Error(`${type}: not the image sent`);
  return Math.max(peak(), held()) - before - image.length;
}

/** The measured size of one copy of the image, to prove that the measurement would notice it. */
async function copyOfImage(): Promise<number> {
  const before = await heldAfterCollection();
  const image = new Uint8Array(size).fill(1);
  const copy = image.slice();
  const seen = held() - before - size;
  return copy.length === size ? seen : 0;
}

const found: Record<string, number> = { 'one copy': await copyOfImage() };
for (const type of Object.keys(forms)) {
  found[`${type}, length declared`] = await beyondImage(type, true);
  found[`${type}, length unknown`] = await beyondImage(type, false);
}
process.stdout.write(JSON.stringify(found));
