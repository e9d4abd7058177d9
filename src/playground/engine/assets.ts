/**
 * The pipeline's modules and model as the page's workers load them: files compressed at build time with gzip
 * (RFC 1952), so that they are small on the way whatever serves them, and their length is known. The service
 * has them in Brotli, too (RFC 7932), which the browser itself reads where the connection is encrypted. The
 * build (scripts/playground/device_assets.mjs) writes the calls of these functions.
 */

export interface Asset {
  readonly address: string;
  /** Bytes of the file itself, and compressed in either way. */
  readonly raw: number;
  readonly gzip: number;
  readonly brotli: number;
}

/** What a worker posts beside the answers of calls: bytes of the face detector so far, and in all. */
export interface LoadingMessage {
  readonly loading: { readonly done: number; readonly total: number };
}

/** Told what has come of a file: bytes as they travel, and how many these are in all. */
type Came = (done: number, total: number) => void;

/**
 * A compiled module.
 * @throws TypeError where the service can't be reached; Error where it has no such file
 */
export async function compileAsset(asset: Asset, came?: Came) {
  const headers = { 'Content-Type': 'application/wasm' };
  return WebAssembly.compileStreaming(new Response(await openAsset(asset, came), { headers }));
}

/**
 * Starts to load both parts of the face detector, and tells the page how far it is.
 * @param runtime a module, whose instance runs the model of these `weights`
 */
export function loadDetector(runtime: Asset, weights: Asset) {
  const loaded = [runtime, weights].map(({ brotli }) => ({ done: 0, total: brotli }));
  const cameOf = (at: number) => (done: number, total: number) => {
    loaded[at] = { done, total };
    const sum = (key: 'done' | 'total') => loaded.reduce((bytes, part) => bytes + part[key], 0);
    const message: LoadingMessage = { loading: { done: sum('done'), total: sum('total') } };
    postMessage(message);
  };
  const parts = { runtime: compileAsset(runtime, cameOf(0)), weights: readAsset(weights, cameOf(1)) };
  // Who waits for the first of them to fail does not wait for the second.
  parts.weights.catch(() => undefined);
  return parts;
}

async function readAsset(asset: Asset, came: Came): Promise<ArrayBuffer> {
  return new Response(await openAsset(asset, came)).arrayBuffer();
}

async function openAsset({ address, raw, gzip, brotli }: Asset, came?: Came): Promise<ReadableStream> {
  const { ok, body } = await fetch(address);
  if (!ok || !body) throw new Error(`A part of the page is missing: ${address}`);
  const { isGzip, stream } = await recognised(body);
  let bytes = 0;
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      // What the browser has decompressed counts by what it was.
      if (isGzip) came?.(bytes, gzip);
      else came?.(Math.round((bytes / raw) * brotli), brotli);
      controller.enqueue(chunk);
    },
  });
  const counted = stream.pipeThrough(count);
  return isGzip ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
}

/** Whether a stream is compressed with gzip still, by its first bytes (RFC 1952, section 2.3.1). */
async function recognised(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader();
  const { value: first } = await reader.read();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      if (first) controller.enqueue(first);
      else controller.close();
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { isGzip: first?.[0] === 0x1f && first[1] === 0x8b, stream };
}
