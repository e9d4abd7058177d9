import { safeName } from '../../safe_name.ts';
import { chunksOf, readChunks } from '../chunks.ts';
import { cleanUpload, MAX_UPLOAD_BYTES, tooLarge, type UploadOptions } from './clean_upload.ts';
import { boundaryOf, FormParts } from './form_parts.ts';
import { UploadError } from './upload_error.ts';

/** Most bytes of a form besides its files: texts, and the headers of its parts. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** Most parts of a form: 400,000 empty ones, as many as fit, took runtimes seconds. */
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
  const { bytes, mediaType } = await cleanUpload(bodyChunks(request), options, signal);
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
  const boundary = boundaryOf(type);
  if (boundary === undefined)
    throw new UploadError('bad_request', 'Expected the media type of a form to name a boundary');
  const chunks = limitedParts(bodyChunks(request), new FormParts(boundary));
  // In one buffer: clients decide how small chunks are, and each would take hundreds of bytes by itself.
  const { bytes } = await readChunks(chunksOf(chunks)!, most, () => tooLarge(most));
  // The runtime's reader of forms must see the boundary that was counted by.
  const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` };
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, { headers }).formData();
  } catch (cause) {
    const message = 'Expected a body of multipart/form-data but received a broken one';
    throw new UploadError('bad_request', message, [], { cause });
  }
}

/** Passes on the chunks of a form. @throws UploadError for more parts or headers than a form may have */
async function* limitedParts(
  chunks: AsyncIterable<Uint8Array>,
  parts: FormParts,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    parts.add(chunk);
    // The last boundary ends the form.
    if (parts.count > MAX_PARTS + 1)
      throw new UploadError('bad_request', `Expected at most ${MAX_PARTS} parts of a form but received more`);
    if (parts.headerBytes > MAX_TEXT_BYTES) throw tooLarge(MAX_TEXT_BYTES);
    yield chunk;
  }
}

/** The chunks of a body; web streams are not async iterables everywhere, for example not in Safari. */
async function* bodyChunks({ body, signal }: Request): AsyncGenerator<Uint8Array, void, undefined> {
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
