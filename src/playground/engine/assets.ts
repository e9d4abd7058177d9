/**
 * The pipeline's modules and model as the page's workers load them: files compressed with gzip (RFC 1952) at
 * build time, so that they are small on the way whatever serves them, and their length is known. The build
 * (scripts/playground/device_assets.mjs) writes the calls of these functions.
 */

export interface Asset {
  readonly address: string;
  /** Of the compressed file. */
  readonly bytes: number;
}

/** What a worker posts beside the answers of calls: bytes of the face detector so far, and in all. */
export interface LoadingMessage {
  readonly loading: { readonly done: number; readonly total: number };
}

/**
 * A compiled module.
 * @throws TypeError where the service can't be reached; Error where it has no such file
 */
export async function compileAsset(asset: Asset) {
  const headers = { 'Content-Type': 'application/wasm' };
  return WebAssembly.compileStreaming(new Response(await openAsset(asset), { headers }));
}

/**
 * The bytes of the face detector's model; tells the page how far they are.
 * @throws TypeError where the service can't be reached; Error where it has no such file
 */
export async function loadDetector(weights: Asset): Promise<ArrayBuffer> {
  let done = 0;
  const came = (bytes: number) => {
    done += bytes;
    const message: LoadingMessage = { loading: { done, total: weights.bytes } };
    postMessage(message);
  };
  return new Response(await openAsset(weights, came)).arrayBuffer();
}

async function openAsset({ address }: Asset, came?: (bytes: number) => void): Promise<ReadableStream> {
  const { ok, body } = await fetch(address);
  if (!ok || !body) throw new Error(`A part of the page is missing: ${address}`);
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      came?.(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  return body.pipeThrough(count).pipeThrough(new DecompressionStream('gzip'));
}
