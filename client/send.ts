/** Bytes of the body handed to the network so far, and all of them. */
export interface UploadProgress {
  readonly sent: number;
  readonly total: number;
}

/** One request, with all that sending it needs. */
export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Blob | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: UploadProgress) => void) | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The part of XMLHttpRequest that is needed; browsers only, so not among the types of every platform. */
interface Xhr {
  responseType: string;
  readonly response: ArrayBuffer | null;
  readonly status: number;
  readonly statusText: string;
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}

/**
 * Sends a request once. Upload progress is told by XMLHttpRequest where there is one (browsers: their fetch
 * tells none), and elsewhere by streaming the body.
 * @param ownFetch what the caller wants used; then no XMLHttpRequest is
 */
export function send(outgoing: Outgoing, ownFetch: Fetch | undefined): Promise<Response> {
  const { method, url, headers, body, signal, onProgress } = outgoing;
  const doFetch = ownFetch ?? ((address, init) => globalThis.fetch(address, init));
  if (!body || !onProgress) {
    return doFetch(url, { method, headers, ...(body && { body }), ...(signal && { signal }) });
  }
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => Xhr };
  if (XMLHttpRequest && !ownFetch) return sendByXhr(new XMLHttpRequest(), outgoing, body, onProgress);
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    body: counted(body, onProgress),
    // Node's fetch takes streams only so.
    duplex: 'half',
    ...(signal && { signal }),
  };
  return doFetch(url, init);
}

/** Bytes handed over at a time: what makes progress smooth; a Blob's own stream may come in one piece. */
const PIECE_BYTES = 64 * 1024;

function counted(body: Blob, onProgress: (progress: UploadProgress) => void): ReadableStream<Uint8Array> {
  const total = body.size;
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = new Uint8Array(await body.slice(sent, sent + PIECE_BYTES).arrayBuffer());
      sent += piece.length;
      if (piece.length > 0) {
        controller.enqueue(piece);
        onProgress({ sent, total });
      }
      if (sent === total) controller.close();
    },
  });
}

function sendByXhr(
  xhr: Xhr,
  { method, url, headers, signal }: Outgoing,
  body: Blob,
  onProgress: (progress: UploadProgress) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => xhr.abort();
    const end = () => signal?.removeEventListener('abort', abort);
    xhr.open(method, url);
    xhr.responseType = 'arraybuffer';
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
    xhr.onload = () => {
      end();
      const lines = xhr.getAllResponseHeaders().trim().split(/\r?\n/);
      const pairs = lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
      });
      const { status, statusText } = xhr;
      resolve(new Response(xhr.response, { status, statusText, headers: pairs }));
    };
    xhr.onerror = () => {
      end();
      reject(new TypeError('The connection failed.'));
    };
    xhr.onabort = () => {
      end();
      reject(signal?.reason ?? new TypeError('The request was stopped.'));
    };
    signal?.addEventListener('abort', abort);
    xhr.send(body);
  });
}
