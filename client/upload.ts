/** The forms in which an image can be given. */
export type ImageInput = Blob | ArrayBuffer | Uint8Array;

/** The complete body of a request, so that it can be sent again. */
export interface Upload {
  readonly body: Blob;
  readonly contentType: string;
  /** The query string with its question mark, or ''. */
  readonly query: string;
}

/** Longest query string in characters; longer ops go into a form. Some proxies limit URLs to 8 KB. */
const MAX_QUERY_LENGTH = 2000;

/**
 * The raw image with its ops in the query, or a form if the ops are long. Neither adds a third to the size,
 * as base64 would.
 * @param ops undefined for none
 */
export async function uploadOf(image: ImageInput, ops: unknown): Promise<Upload> {
  const blob = image instanceof Blob ? image : new Blob([image as Uint8Array<ArrayBuffer>]);
  const text = ops === undefined ? undefined : JSON.stringify(ops);
  const query = text === undefined ? '' : `?ops=${encodeURIComponent(text)}`;
  if (text === undefined || query.length <= MAX_QUERY_LENGTH) {
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
