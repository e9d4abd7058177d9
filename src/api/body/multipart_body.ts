import { Buffer } from 'node:buffer';
import { Dicer } from '@fastify/busboy';
import { quoted } from '../../json/quoted.ts';
import { badRequest, opsTooLarge, remoteImage } from './body_errors.ts';
import { parseHeaderValue } from './header_value.ts';
import type { Allocate, LimitedSink } from './image_sink.ts';
import { JsonText } from './json_text.ts';
import { MAX_BOUNDARY_LENGTH, MAX_PART_HEADER_BYTES } from './limits.ts';
import { parseOpsJson } from './ops_json.ts';
import { openGate, type ReadGate } from './read_gate.ts';

/** The header fields of a part; each byte of a value is one character (latin1). */
type PartHeader = Readonly<Record<string, readonly string[] | undefined>>;

/** Receives the bytes of a part. */
type PartHandler = (bytes: Uint8Array) => void;

/**
 * Most parts that may begin; a form has two. The parser makes a stream for each and continues to the end of
 * its input: only an error thrown into it stops it.
 */
const MAX_PARTS = 64;

/**
 * Nanoseconds per byte to split a body in which every byte may begin a boundary; image data takes a third.
 */
const SPLIT_TIME = 3;

const EXPECTED = 'a form has one file part "image" and at most one text part "ops"';

/**
 * Reads multipart/form-data (RFC 7578) with Dicer, the parser of @fastify/busboy, which passes on the bytes
 * of a part incrementally, however the body is cut into chunks.
 * @param declared the body's length, if the request declares it
 * @param boundary the parameter of the Content-Type
 * @param spend counts work in nanoseconds, see `ReadGate`
 * @returns `ops` as parsed, undefined if absent; the image is in `sink`
 * @throws ApiError bad_request, payload_too_large
 */
export async function readMultipart(
  chunks: AsyncIterable<Uint8Array>,
  declared: number | undefined,
  boundary: string | undefined,
  sink: LimitedSink,
  allocate: Allocate,
  { spend }: Pick<ReadGate, 'spend'> = openGate,
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
  await parse(chunks, boundary, (header) => form.part(header), spend);
  return form.finish();
}

/** Interprets the parts of the form. */
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

  /** Begins a part. @throws ApiError bad_request for an unknown, duplicate or encoded part */
  part(header: PartHeader): PartHandler {
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

  /** Ends the form. @throws ApiError bad_request if the image is missing or empty, or `ops` is not JSON */
  finish(): unknown {
    if (!this.#seen.has('image')) throw badRequest(`The form has no part "image": ${EXPECTED}.`);
    if (this.#sink.written === 0) throw badRequest('The part "image" is empty.');
    if (!this.#imageIsFile) requireBinary(this.#sink.finish());
    return parseOpsJson(this.#ops?.finish() ?? '');
  }
}

/**
 * Refuses text as the image. A part without a file name may contain the image's bytes; but text there is a
 * file name, an address or base64 sent by mistake (`-F image=photo.jpg` for `-F image=@photo.jpg`). Every
 * image format has a byte that is not printable among its first 32.
 * @throws ApiError bad_request
 */
function requireBinary(image: Uint8Array): void {
  const head = Buffer.from(image.subarray(0, 32)).toString('latin1');
  if (/[^\t\n\r\x20-\x7e]/.test(head)) return;
  if (/^\s*https?:/i.test(head)) throw remoteImage('The part "image" holds an address.');
  throw badRequest(
    'The part "image" holds text: send the image as a file part, as in curl -F image=@photo.jpg.',
  );
}

/** The first value of a header field, decoded as UTF-8, as senders use in practice (RFC 7578 §5.1). */
function field(header: PartHeader, name: string): string | undefined {
  const value = header[name]?.[0];
  return value === undefined ? undefined : Buffer.from(value, 'latin1').toString('utf8');
}

/**
 * Feeds the chunks to the parser, and the bytes of each part to the handler that `onPart` returns for its
 * header. The parser reports by events, some of them after the write that caused them: the first error of any
 * kind is kept and thrown.
 */
async function parse(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
  onPart: (header: PartHeader) => PartHandler,
  spend: ReadGate['spend'],
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
  limitHeaders(dicer, MAX_PART_HEADER_BYTES, () =>
    fail(badRequest(`The header of a part is larger than 16 KB (${MAX_PART_HEADER_BYTES} bytes).`)),
  );
  skipTransportPadding(dicer);
  const finished = new Promise<void>((resolve) => dicer.once('finish', resolve));
  dicer.on('error', truncated);
  dicer.on('part', (part) => {
    if (partEnds.length === MAX_PARTS) {
      const error = badRequest(`The form holds more than ${MAX_PARTS} parts: ${EXPECTED}.`);
      fail(error);
      throw error;
    }
    let handlePart: PartHandler | undefined;
    part.on(
      'header',
      guarded((header) => (handlePart = onPart(header as PartHeader))),
    );
    part.on(
      'data',
      guarded((bytes) => handlePart?.(bytes as Buffer)),
    );
    part.on('error', truncated);
    const { promise, resolve } = Promise.withResolvers<void>();
    partEnds.push(promise);
    part.on('end', () => {
      if (!handlePart) fail(badRequest('A part of the form has no complete header.'));
      resolve();
    });
  });

  try {
    for await (const chunk of chunks) {
      // A copy, since the parser keeps slices and `chunk` is valid only until the next one.
      const bytes = Buffer.from(chunk);
      await Promise.race([failed, new Promise((resolve) => dicer.write(bytes, resolve))]);
      const pause = spend(bytes.length * SPLIT_TIME);
      if (pause) await pause;
    }
    dicer.end();
    await Promise.race([failed, finished]);
    await Promise.race([failed, Promise.all(partEnds)]);
  } finally {
    dicer.destroy();
  }
}

/** The part of Dicer that reads the headers of parts; not in its types. */
interface HeaderParser {
  /** Returns the index in `data` after the end of the header, undefined while it goes on. */
  push(data: Buffer): number | undefined;
  /** The header so far, one byte per character: from the boundary up to the empty line. */
  buffer: string;
  _parseHeader(): void;
}

/**
 * Calls `onTooLarge` for a part header larger than `limit` bytes: Dicer itself silently cuts headers at its
 * `maxHeaderSize`.
 */
function limitHeaders(dicer: Dicer, limit: number, onTooLarge: () => void): void {
  const { _hparser: parser } = dicer as unknown as { readonly _hparser: HeaderParser };
  const push = parser.push.bind(parser);
  let bytes = 0;
  parser.push = (data) => {
    const end = push(data);
    bytes += end ?? data.length;
    if (bytes > limit) onTooLarge();
    if (end !== undefined) bytes = 0;
    return end;
  };
}

/**
 * Allows spaces and tabs between a boundary and the end of its line (RFC 2046 section 5.1.1: transport
 * padding, which receivers must accept): Dicer itself takes them for a header line and gives up.
 */
function skipTransportPadding(dicer: Dicer): void {
  const { _hparser: parser } = dicer as unknown as { readonly _hparser: HeaderParser };
  const parse = parser._parseHeader.bind(parser);
  parser._parseHeader = () => {
    parser.buffer = parser.buffer.replace(/^[ \t]+(?=\r\n)/, '');
    parse();
  };
}
