import { StreamBody } from './stream_body.ts';

/** Bytes of the body sent so far, and its length: Infinity for a stream, whose length is unknown. */
export interface UploadProgress {
  readonly sent: number;
  readonly total: number;
}

/** A request to send. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Blob | StreamBody | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: UploadProgress) => void) | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The part of XMLHttpRequest that is used; only browsers have it and declare its type. */
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
 * Sends a request once. Browsers use XMLHttpRequest if progress is wanted, since their fetch does not report
 * it; elsewhere the body is streamed and counted.
 * @param customFetch used instead of the platform's fetch and of XMLHttpRequest
 */
export function send(outgoing: OutgoingRequest, customFetch: Fetch | undefined): Promise<Response> {
  const { method, url, headers, body, signal, onProgress } = outgoing;
  const doFetch = customFetch ?? ((address, init) => globalThis.fetch(address, init));
  if (body instanceof StreamBody) {
    let sent = 0;
    const onChunk = (bytes: number) => {
      sent += bytes;
      onProgress?.({ sent, total: Number.POSITIVE_INFINITY });
    };
    return doFetch(url, streamedInit(outgoing, body.stream(onChunk)));
  }
  if (!body || !onProgress) {
    return doFetch(url, { method, headers, ...(body && { body }), ...(signal && { signal }) });
  }
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => Xhr };
  if (XMLHttpRequest && !customFetch) return sendByXhr(new XMLHttpRequest(), outgoing, body, onProgress);
  return doFetch(url, streamedInit(outgoing, streamWithProgress(body, onProgress)));
}

function streamedInit(
  { method, headers, signal }: OutgoingRequest,
  body: ReadableStream<Uint8Array>,
): RequestInit & { duplex: 'half' } {
  // Node's fetch requires `duplex` for a streamed body.
  return { method, headers, body, duplex: 'half', ...(signal && { signal }) };
}

/** Bytes sent at a time, for smooth progress: a Blob's own stream may come in one chunk. */
const CHUNK_BYTES = 64 * 1024;

function streamWithProgress(
  body: Blob,
  onProgress: (progress: UploadProgress) => void,
): ReadableStream<Uint8Array> {
  const total = body.size;
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = new Uint8Array(await body.slice(sent, sent + CHUNK_BYTES).arrayBuffer());
      sent += chunk.length;
      if (chunk.length > 0) {
        controller.enqueue(chunk);
        onProgress({ sent, total });
      }
      if (sent === total) controller.close();
    },
  });
}

function sendByXhr(
  xhr: Xhr,
  { method, url, headers, signal }: OutgoingRequest,
  body: Blob,
  onProgress: (progress: UploadProgress) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => xhr.abort();
    const removeListener = () => signal?.removeEventListener('abort', abort);
    xhr.open(method, url);
    xhr.responseType = 'arraybuffer';
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
    xhr.onload = () => {
      removeListener();
      const lines = xhr.getAllResponseHeaders().trim().split(/\r?\n/);
      const pairs = lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
      });
      const { status, statusText } = xhr;
      resolve(new Response(xhr.response, { status, statusText, headers: pairs }));
    };
    xhr.onerror = () => {
      removeListener();
      reject(new TypeError('The connection failed.'));
    };
    xhr.onabort = () => {
      removeListener();
      reject(signal?.reason ?? new TypeError('The request was stopped.'));
    };
    signal?.addEventListener('abort', abort);
    xhr.send(body);
  });
}
