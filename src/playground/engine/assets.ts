/**
 * How the page's workers load the pipeline's modules and model: as files compressed with gzip (RFC 1952) at
 * build time, so that they are small whatever server sends them, and their length is known. The build
 * (scripts/playground/device_assets.mjs) writes the calls of these functions.
 */

export interface Asset {
  readonly address: string;
  /** Length of the compressed file. */
  readonly bytes: number;
}

/** What a worker posts besides the answers to calls: loaded and total bytes of the face detector. */
export interface LoadingMessage {
  readonly loading: { readonly done: number; readonly total: number };
}

/**
 * A compiled module.
 * @throws TypeError if the service can't be reached; Error if it has no such file
 */
export async function compileAsset(asset: Asset) {
  const headers = { 'Content-Type': 'application/wasm' };
  return WebAssembly.compileStreaming(new Response(await openAsset(asset), { headers }));
}

/**
 * The bytes of the face detector's model; reports progress to the page.
 * @throws TypeError if the service can't be reached; Error if it has no such file
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
