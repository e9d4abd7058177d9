import { type ByteStream, canSendStreams, chunksOf, isByteStream, StreamBody } from './stream_body.ts';

/**
 * The forms in which an image can be passed. A stream is sent as it is read, so a call with one can't be
 * repeated once anything was read.
 */
export type ImageInput = Blob | ArrayBuffer | Uint8Array | ByteStream;

/** The body of a request: complete, so that it can be sent again, or a stream. */
export interface Upload {
  readonly body: Blob | StreamBody;
  readonly contentType: string;
  /** The query string with its question mark, or ''. */
  readonly query: string;
}

/** Longest query string in characters; longer ops go into a form. Some proxies limit URLs to 8 KB. */
const MAX_QUERY_LENGTH = 2000;

/**
 * The raw image with its ops in the query, or a form if the ops are long. Base64 would add a third to the
 * size.
 * @param ops undefined for none
 * @throws TypeError for an image in another form
 */
export async function uploadOf(image: ImageInput, ops: unknown): Promise<Upload> {
  if (!(image instanceof Blob) && isByteStream(image)) {
    if (canSendStreams()) return streamedUpload(image, ops);
    return uploadOf(await blobOf(image), ops);
  }
  if (!isComplete(image))
    throw new TypeError(
      `Expected image to be a Blob, an ArrayBuffer, a Uint8Array or a stream of them but received ${typeof image}`,
    );
  const blob = image instanceof Blob ? image : new Blob([image as Uint8Array<ArrayBuffer>]);
  const { text, query, fits } = spelled(ops);
  if (fits) {
    const contentType = /^image\/[^\s/]+$/.test(blob.type) ? blob.type : 'image/*';
    return { body: blob, contentType, query };
  }
  const form = new FormData();
  form.set('image', blob, 'image');
  form.set('ops', text);
  // A Response serializes the form and chooses its boundary.
  const serialized = new Response(form);
  const contentType = serialized.headers.get('Content-Type') ?? 'multipart/form-data';
  return { body: await serialized.blob(), contentType, query: '' };
}

function isComplete(image: unknown): boolean {
  const tag = Object.prototype.toString.call(image);
  return image instanceof Blob || ArrayBuffer.isView(image) || tag === '[object ArrayBuffer]';
}

/** Ops as text and as a query string, and whether they fit there. */
function spelled(ops: unknown): { text: string; query: string; fits: boolean } {
  if (ops === undefined) return { text: '', query: '', fits: true };
  const text = JSON.stringify(ops);
  const query = `?ops=${encodeURIComponent(text)}`;
  return { text, query, fits: query.length <= MAX_QUERY_LENGTH };
}

async function blobOf(stream: ByteStream): Promise<Blob> {
  const chunks = [];
  for await (const chunk of checked(chunksOf(stream))) chunks.push(chunk as Uint8Array<ArrayBuffer>);
  return new Blob(chunks);
}

function streamedUpload(image: ByteStream, ops: unknown): Upload {
  const { text, query, fits } = spelled(ops);
  const chunks = checked(chunksOf(image));
  if (fits) return { body: new StreamBody(chunks), contentType: 'image/*', query };
  const boundary = `image-${randomName()}`;
  const part = (name: string, more: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const head = `${part('ops', '')}${text}\r\n${part('image', '; filename="image"')}`;
  const body = new StreamBody(between(head, chunks, `\r\n--${boundary}--\r\n`));
  return { body, contentType: `multipart/form-data; boundary=${boundary}`, query: '' };
}

async function* between(head: string, chunks: AsyncIterable<Uint8Array>, tail: string) {
  yield new TextEncoder().encode(head);
  yield* chunks;
  yield new TextEncoder().encode(tail);
}

/** @throws TypeError for a chunk that is not bytes, such as a string from a stream with an encoding */
async function* checked(chunks: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array))
      throw new TypeError(`Expected the stream to give Uint8Arrays but received ${typeof chunk}`);
    yield chunk;
  }
}

/** 128 random bits. `crypto.randomUUID` is missing in pages without TLS. */
export function randomName(): string {
  const words = crypto.getRandomValues(new Uint32Array(4));
  return [...words].map((word) => word.toString(16).padStart(8, '0')).join('');
}
