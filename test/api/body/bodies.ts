import { ApiError } from '../../../src/api/answers/errors.ts';

/** Helpers for the tests of request bodies: bodies in given chunks, requests, and comparable outcomes. */

const encoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array<ArrayBuffer> =>
  encoder.encode(text) as Uint8Array<ArrayBuffer>;

/** One byte per character, for bodies that are not UTF-8. */
export const latin1 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (c) => c.charCodeAt(0));

/** `bytes` cut at the given offsets, which need not be sorted or distinct. */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const sorted = [0, ...offsets.toSorted((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((end, i) => bytes.slice(sorted[i], end));
}

interface Sent {
  readonly stream: ReadableStream<Uint8Array>;
  /** Whether the reader cancelled the stream. */
  readonly cancelled: () => boolean;
  readonly chunksTaken: () => number;
}

/** A body that consists of these chunks and then ends, or fails with `failure`. */
export function sent(chunks: Iterable<Uint8Array>, failure?: Error): Sent {
  const iterator = chunks[Symbol.iterator]();
  let cancelled = false;
  let taken = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = iterator.next();
        if (!next.done) {
          taken++;
          controller.enqueue(next.value);
        } else if (failure) controller.error(failure);
        else controller.close();
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, cancelled: () => cancelled, chunksTaken: () => taken };
}

export interface Posted {
  readonly body: BodyInit | null;
  /** Content-Type; null for none. */
  readonly type: string | null;
  /** The query string with its question mark. */
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

export function post({ body, type, query = '', headers = {} }: Posted): Request {
  const all = new Headers(headers);
  const init = { method: 'POST', body, headers: all, duplex: 'half' };
  if (type !== null) all.set('Content-Type', type);
  const request = new Request(`https://example.test/v1/sanitize${query}`, init);
  if (type === null) request.headers.delete('Content-Type');
  return request;
}

/** The outcome of reading a body as one text: the upload (a long image by its length), or the error. */
export async function outcome(reading: Promise<{ image: Uint8Array; ops: unknown }>): Promise<string> {
  try {
    const { image, ops } = await reading;
    const bytes = image.length > 100 ? `${image.length} bytes` : [...image].join(' ');
    return `image ${bytes}, ops ${JSON.stringify(ops)}`;
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.code}: ${error.message}`;
    throw error;
  }
}

/** A multipart body with the given header lines and contents of its parts. */
export function multipart(
  boundary: string,
  parts: readonly { readonly headers: readonly string[]; readonly content: Uint8Array | string }[],
): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  for (const { headers, content } of parts) {
    pieces.push(utf8(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`));
    pieces.push(typeof content === 'string' ? utf8(content) : content, utf8('\r\n'));
  }
  pieces.push(utf8(`--${boundary}--\r\n`));
  return joined(pieces);
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
