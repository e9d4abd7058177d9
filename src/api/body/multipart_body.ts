import { Buffer } from 'node:buffer';
import { Dicer } from '@fastify/busboy';
import { badRequest, opsTooLarge, parseOps, quoted, remoteImage } from './body_errors.ts';
import { parseHeaderValue } from './header_value.ts';
import type { Allocate, LimitedSink } from './image_sink.ts';
import { JsonText } from './json_text.ts';
import { MAX_BOUNDARY_LENGTH, MAX_PART_HEADER_BYTES } from './limits.ts';

/** One part's header fields, values as the bytes came (latin1). */
type PartHeader = Readonly<Record<string, readonly string[] | undefined>>;

/** Where a part's bytes go. */
type PartBytes = (bytes: Uint8Array) => void;

const EXPECTED = 'a form has one file part "image" and at most one text part "ops"';

/**
 * Reads multipart/form-data (RFC 7578) with Dicer, the parser under @fastify/busboy, which hands out the
 * bytes of a part as they arrive and is exact wherever the network cuts them.
 * @param boundary the parameter of the Content-Type
 * @param declared the body's length, if the request says it
 * @returns `ops` as parsed, undefined when absent; the image is in `sink`
 * @throws ApiError bad_request, payload_too_large
 */
export async function readMultipart(
  chunks: AsyncIterable<Uint8Array>,
  declared: number | undefined,
  boundary: string | undefined,
  sink: LimitedSink,
  allocate: Allocate,
): Promise<unknown> {
  if (
    boundary === undefined ||
    boundary.length > MAX_BOUNDARY_LENGTH ||
    !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(boundary)
  ) {
    throw badRequest(
      `The Content-Type must give a boundary of 1 to ${MAX_BOUNDARY_LENGTH} characters: multipart/form-data; boundary=…`,
    );
  }
  if (declared !== undefined) sink.expect(declared);
  const form = new Form(sink, allocate);
  await parse(chunks, boundary, (header) => form.part(header));
  return form.finish();
}

/** What the parts of the form mean. */
class Form {
  readonly #sink: LimitedSink;
  readonly #allocate: Allocate;
  readonly #seen = new Set<string>();
  #imageIsFile = true;
  #ops: JsonText | undefined;

  constructor(sink: LimitedSink, allocate: Allocate) {
    this.#sink = sink;
    this.#allocate = allocate;
  }

  /** @throws ApiError bad_request when the form has no such part, or has it already */
  part(header: PartHeader): PartBytes {
    const disposition = parseHeaderValue(field(header, 'content-disposition') ?? '');
    const name = disposition.parameters.get('name');
    if (disposition.value !== 'form-data' || name === undefined) {
      throw badRequest('A part of the form has no Content-Disposition: form-data; name="…".');
    }
    if (name === 'image_url') throw remoteImage('The form holds a part "image_url".');
    if (name !== 'image' && name !== 'ops') {
      throw badRequest(`The form holds a part ${quoted([name])}: ${EXPECTED}.`);
    }
    if (this.#seen.has(name)) throw badRequest(`The form holds two parts "${name}": ${EXPECTED}.`);
    this.#seen.add(name);
    const encoding = field(header, 'content-transfer-encoding')?.trim().toLowerCase() ?? 'binary';
    if (!['binary', '8bit', '7bit'].includes(encoding)) {
      throw badRequest(`The part "${name}" is encoded as ${quoted([encoding])}: send its bytes as they are.`);
    }
    if (name === 'image') {
      this.#imageIsFile = disposition.parameters.has('filename') || disposition.parameters.has('filename*');
      return (bytes) => this.#sink.write(bytes);
    }
    const ops = new JsonText(() => opsTooLarge('The part "ops"'), this.#allocate);
    this.#ops = ops;
    return (bytes) => ops.push(bytes);
  }

  /** @throws ApiError bad_request when the image is missing or empty, or `ops` is not JSON */
  finish(): unknown {
    if (!this.#seen.has('image')) throw badRequest(`The form has no part "image": ${EXPECTED}.`);
    if (this.#sink.written === 0) throw badRequest('The part "image" is empty.');
    if (!this.#imageIsFile) checkText(this.#sink.finish());
    return parseOps(this.#ops?.finish() ?? '');
  }
}

/**
 * A part with no file name may still hold the image's bytes, and is taken so; but text there is a file name,
 * an address or base64 sent by mistake (`-F image=photo.jpg` for `-F image=@photo.jpg`), and is told apart:
 * every image format has a byte that isn't printable among its first 32.
 */
function checkText(image: Uint8Array): void {
  const head = Buffer.from(image.subarray(0, 32)).toString('latin1');
  if (/[^\t\n\r\x20-\x7e]/.test(head)) return;
  if (/^\s*https?:/i.test(head)) throw remoteImage('The part "image" holds an address.');
  throw badRequest(
    'The part "image" holds text: send the image as a file part, as in curl -F image=@photo.jpg.',
  );
}

/** A header field's first value; header text is UTF-8 in practice (RFC 7578 §5.1). */
function field(header: PartHeader, name: string): string | undefined {
  const value = header[name]?.[0];
  return value === undefined ? undefined : Buffer.from(value, 'latin1').toString('utf8');
}

/**
 * Feeds the chunks to the parser and each part's bytes to what `onPart` returns for its header. The parser
 * reports by events, some after the write that caused them: the first failure of any kind is kept and thrown.
 */
async function parse(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
  onPart: (header: PartHeader) => PartBytes,
): Promise<void> {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => {});
  const guarded =
    <T extends unknown[]>(handle: (...values: T) => void) =>
    (...values: T) => {
      try {
        handle(...values);
      } catch (error) {
        fail(error);
      }
    };
  const truncated = () => fail(badRequest('The form ends too early: its closing boundary is missing.'));

  const partEnds: Promise<void>[] = [];
  const dicer = new Dicer({
    boundary,
    maxHeaderPairs: 64,
    maxHeaderSize: MAX_PART_HEADER_BYTES,
  } as Dicer.Config);
  const finished = new Promise<void>((resolve) => dicer.once('finish', resolve));
  dicer.on('error', truncated);
  dicer.on('part', (part) => {
    let take: PartBytes | undefined;
    part.on(
      'header',
      guarded((header) => (take = onPart(header as PartHeader))),
    );
    part.on(
      'data',
      guarded((bytes) => take?.(bytes as Buffer)),
    );
    part.on('error', truncated);
    const { promise, resolve } = Promise.withResolvers<void>();
    partEnds.push(promise);
    part.on('end', () => {
      if (!take) fail(badRequest('A part of the form has no complete header.'));
      resolve();
    });
  });

  try {
    for await (const chunk of chunks) {
      // A copy: the parser holds on to slices, and `chunk` is only lent.
      const bytes = Buffer.from(chunk);
      await Promise.race([failed, new Promise((resolve) => dicer.write(bytes, resolve))]);
    }
    dicer.end();
    await Promise.race([failed, finished]);
    await Promise.race([failed, Promise.all(partEnds)]);
  } finally {
    dicer.destroy();
  }
}
