import { safeName } from '../../safe_name.ts';
import { capped, cleanUpload, MAX_UPLOAD_BYTES, tooLarge, type UploadOptions } from './clean_upload.ts';
import { UploadError } from './upload_error.ts';

/** Most bytes of a form besides its files: texts, and the headers of its parts. */
const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * Most parts of a form. Runtimes parse all of it at once: 400,000 empty parts, as many as fit, took them
 * seconds.
 */
const MAX_PARTS = 1000;

/**
 * Returns the request with each image in its body cleaned: files of a form (`multipart/form-data`), or the
 * body itself (`image/*`). Texts of a form stay as they are. A file is renamed to its field's name, since
 * file names tell of photos, without characters that could leave a folder; its media type is that of the
 * result. A request without a body is returned unchanged.
 * @throws UploadError for a body of another type, one that is too large, or one with a refused file; the
 * reason of the request's signal
 */
export async function cleanRequest(request: Request, options: UploadOptions = {}): Promise<Request> {
  if (!request.body) return request;
  const type = request.headers.get('Content-Type') ?? '';
  const headers = new Headers(request.headers);
  headers.delete('Content-Length');
  // For a form it contains the boundary, which is chosen anew.
  headers.delete('Content-Type');
  const { url, method, signal } = request;
  if (/^multipart\/form-data\b/i.test(type)) {
    return new Request(url, { method, headers, signal, body: await cleanForm(request, type, options) });
  }
  if (!/^image\//i.test(type)) {
    throw new UploadError(
      'unsupported_media_type',
      `Expected a body of multipart/form-data or image/* but received ${type.slice(0, 100) || 'no type'}`,
    );
  }
  const { bytes, mediaType } = await cleanUpload(chunksOf(request), options, signal);
  headers.set('Content-Type', mediaType);
  return new Request(url, { method, headers, signal, body: bytes });
}

async function cleanForm(request: Request, type: string, options: UploadOptions): Promise<FormData> {
  const { maxFiles = 1, maxBytes = MAX_UPLOAD_BYTES } = options;
  const form = await readForm(request, type, maxFiles * maxBytes + MAX_TEXT_BYTES);
  const entries = [...form.entries()] as [string, string | File][];
  const texts = entries.filter(([, value]) => typeof value === 'string') as [string, string][];
  if (texts.reduce((sum, [, text]) => sum + text.length, 0) > MAX_TEXT_BYTES) throw tooLarge(MAX_TEXT_BYTES);
  // A file chooser in which nothing was chosen sends an empty file.
  const isChosen = (value: string | File) => typeof value !== 'string' && value.size > 0;
  const files = entries.filter(([, value]) => isChosen(value)).length;
  if (files > maxFiles)
    throw new UploadError('bad_request', `Expected at most ${maxFiles} files but received ${files}`);
  const clean = new FormData();
  for (const [field, value] of entries) {
    if (typeof value === 'string') clean.append(field, value);
    else if (isChosen(value)) {
      const { bytes, mediaType, extension } = await cleanUpload(value, options, request.signal);
      const name = `${safeName(field, extension.length + 1)}.${extension}`;
      clean.append(field, new File([bytes], name, { type: mediaType }));
    }
  }
  return clean;
}

async function readForm(request: Request, type: string, most: number): Promise<FormData> {
  if (Number(request.headers.get('Content-Length')) > most) throw tooLarge(most);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const countParts = partCounter();
  for await (const chunk of capped(chunksOf(request), most)) {
    if (countParts(chunk) > MAX_PARTS)
      throw new UploadError('bad_request', `Expected at most ${MAX_PARTS} parts of a form but received more`);
    parts.push(chunk as Uint8Array<ArrayBuffer>);
  }
  try {
    return await new Response(new Blob(parts), { headers: { 'Content-Type': type } }).formData();
  } catch (cause) {
    const message = 'Expected a body of multipart/form-data but received a broken one';
    throw new UploadError('bad_request', message, [], { cause });
  }
}

/** The header of every form part (RFC 7578 section 4.2), in any case; no later letter is a c. */
const PART_HEADER = Uint8Array.from('content-disposition', (letter) => letter.charCodeAt(0));
/** The bit that distinguishes lower case from capitals in ASCII; a hyphen has it too. */
const SMALL = 0x20;

/** Returns a function that counts part headers, in all chunks so far. */
function partCounter(): (chunk: Uint8Array) => number {
  let parts = 0;
  let matched = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length; at++) {
      const letter = chunk[at]! | SMALL;
      if (letter !== PART_HEADER[matched]) matched = letter === PART_HEADER[0] ? 1 : 0;
      else if (++matched === PART_HEADER.length) {
        parts++;
        matched = 0;
      }
    }
    return parts;
  };
}

/** The chunks of a body; web streams are not async iterables everywhere, for example not in Safari. */
async function* chunksOf({ body, signal }: Request): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body!.getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    // Drops the rest of a refused body.
    void reader.cancel().catch(() => {});
  }
}
