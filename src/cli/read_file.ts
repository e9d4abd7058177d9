import { constants, createReadStream, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ImageError } from '../library/worker.ts';

/** Names of files that this process already has open; even a pipe comes to its end there. */
const OPEN_ALREADY = /^\/(?:dev\/(?:stdin$|fd\/)|proc\/self\/fd\/)/;

/**
 * The bytes of a file, in a buffer of their own that may be transferred; for `/dev/stdin` and the like, a
 * stream. Pipes of other names and devices are refused: they might never end, or never begin.
 * @param maxBytes most that are read
 * @param check of the open file, before it is read
 * @throws the file system's error; ImageError 'payload_too_large'; what `check` throws
 */
export async function readFile(
  path: string,
  maxBytes: number,
  check?: (file: FileHandle) => Promise<void>,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  if (OPEN_ALREADY.test(path) && !(await stat(path)).isFile()) return webStream(createReadStream(path));
  return withRegular(path, async (file, size) => {
    await check?.(file);
    if (size > maxBytes) {
      throw new ImageError(
        'payload_too_large',
        `Expected an image of at most ${maxBytes} bytes, what --memory leaves for one, but received ${size}`,
      );
    }
    return readStart(file, size);
  });
}

/** The first bytes of a regular file; fewer if it is shorter. @throws the file system's error */
export const readHead = (path: string, length: number): Promise<Uint8Array> =>
  withRegular(path, (file) => readStart(file, length));

async function readStart(file: FileHandle, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length);
    // The file is shorter.
    if (bytesRead === 0) return bytes.slice(0, length);
    length += bytesRead;
  }
  return bytes;
}

/** Opens without waiting for a pipe's writer, in case a pipe has replaced the file that was seen. */
async function withRegular<T>(
  path: string,
  read: (file: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  requireRegular(await stat(path));
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    requireRegular(stats);
    return await read(file, stats.size);
  } finally {
    await file.close();
  }
}

function requireRegular(stats: Stats): void {
  if (stats.isDirectory()) throw new Error('this is a folder');
  if (!stats.isFile())
    throw new Error('this is no file but a pipe, socket or device; - reads the standard input');
}

/** A Node stream as the web stream that the library takes. */
export const webStream = (stream: Readable): ReadableStream<Uint8Array> =>
  Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
