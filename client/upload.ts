/** An image as a caller may hold it. */
export type ImageInput = Blob | ArrayBuffer | Uint8Array;

/** One request's body, complete, so that it can be sent again. */
interface Upload {
  readonly body: Blob;
  readonly contentType: string;
  /** Query string with its question mark, or ''. */
  readonly query: string;
}

/**
 * Longest ops text put into the address; longer ones go into a form. Servers on the way cut addresses at 8 KB
 * or more.
 */
const MAX_QUERY = 2000;

/**
 * The raw image with its ops in the query, or, where they are long, a form: neither costs the third that
 * base64 adds.
 * @param ops undefined for none
 */
export async function uploadOf(image: ImageInput, ops: unknown): Promise<Upload> {
  const blob = image instanceof Blob ? image : new Blob([image as Uint8Array<ArrayBuffer>]);
  const text = ops === undefined ? undefined : JSON.stringify(ops);
  const query = text === undefined ? '' : `?ops=${encodeURIComponent(text)}`;
  if (text === undefined || query.length <= MAX_QUERY) {
    const contentType = /^image\/[^\s/]+$/.test(blob.type) ? blob.type : 'image/*';
    return { body: blob, contentType, query };
  }
  const form = new FormData();
  form.set('image', blob, 'image');
  form.set('ops', text);
  // The platform writes the form and names its boundary.
  const written = new Response(form);
  const contentType = written.headers.get('Content-Type') ?? 'multipart/form-data';
  return { body: await written.blob(), contentType, query: '' };
}
