import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ImageError } from '../library/worker.ts';

/**
 * The bytes of a file, in a buffer of their own that may be given away. What is no regular file (a pipe, a
 * device) comes as a stream.
 * @param maxBytes most that are read
 * @throws the file system's error; ImageError 'payload_too_large'
 */
export async function readFile(
  path: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const { size, isRegular } = await lookAt(path);
  if (!isRegular) return webStream(createReadStream(path));
  if (size > maxBytes) {
    throw new ImageError(
      'payload_too_large',
      `Expected an image of at most ${maxBytes} bytes, what --memory leaves for one, but received ${size}`,
    );
  }
  const bytes = new Uint8Array(size);
  const file = await open(path);
  try {
    let length = 0;
    while (length < size) {
      const { bytesRead } = await file.read(bytes, length, size - length);
      // It has become shorter.
      if (bytesRead === 0) return bytes.slice(0, length);
      length += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

/** A stream of Node as the library takes it. */
export const webStream = (stream: Readable): ReadableStream<Uint8Array> =>
  Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;

async function lookAt(path: string): Promise<{ size: number; isRegular: boolean }> {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new Error('this is a folder');
  return { size: stats.size, isRegular: stats.isFile() };
}
