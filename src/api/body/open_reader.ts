import type { Allocate } from './image_sink.ts';

/** The result of `reader.read()`, of either kind of reader. */
interface ReadResult {
  readonly done: boolean;
  readonly value?: Uint8Array | undefined;
}

interface BodyReader {
  /** The next bytes, valid until the next read. */
  read(): Promise<ReadResult>;
  /** Leaves the body to another reader, unless a read is under way: then it stays locked. */
  release(): void;
}

/**
 * Reads byte streams, such as network requests, into one reused buffer (measured in workerd: 33 MB in 68 ms,
 * against 140 ms or more in the 4 KB chunks of a default reader). Other streams, made by code, can only
 * provide their own chunks.
 * @param bytes size of the buffer
 * @param isFilled whether a read waits until the buffer is full, if the runtime supports that
 */
export function openReader(
  body: ReadableStream<Uint8Array>,
  bytes: number,
  allocate: Allocate,
  isFilled: boolean,
): BodyReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: 'byob' });
  } catch {
    const chunks = body.getReader();
    return { read: () => chunks.read(), release: () => releaseLock(chunks) };
  }
  let buffer = allocate(bytes);
  return {
    async read() {
      const next =
        isFilled && 'readAtLeast' in reader
          ? await reader.readAtLeast(bytes, buffer)
          : await readByob(reader, buffer);
      if (next.value) buffer = new Uint8Array(next.value.buffer as ArrayBuffer);
      return next;
    },
    release: () => releaseLock(reader),
  };
}

/** The standard method, for runtimes without workerd's `readAtLeast`. */
const readByob = (reader: ReadableStreamBYOBReader, view: Uint8Array): Promise<ReadResult> =>
  reader.read(view);

function releaseLock(reader: { releaseLock(): void }): void {
  try {
    reader.releaseLock();
  } catch {
    // The body stays locked until the connection ends.
  }
}
