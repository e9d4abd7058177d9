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
export async function compileAsset(asset: Asset, came?: (bytes: number) => void) {
  const headers = { 'Content-Type': 'application/wasm' };
  return WebAssembly.compileStreaming(new Response(await openAsset(asset, came), { headers }));
}

/**
 * Starts to load all parts of the face detector, and tells the page how far it is.
 * @param runtime a module, whose instance runs the models of these `weights` and of the `verifier`
 */
export function loadDetector(runtime: Asset, weights: Asset, verifier: Asset) {
  const total = runtime.bytes + weights.bytes + verifier.bytes;
  let done = 0;
  const came = (bytes: number) => {
    done += bytes;
    const message: LoadingMessage = { loading: { done, total } };
    postMessage(message);
  };
  const parts = {
    runtime: compileAsset(runtime, came),
    weights: readAsset(weights, came),
    verifier: readAsset(verifier, came),
  };
  // Who waits for the first of them to fail does not wait for the others.
  parts.weights.catch(() => undefined);
  parts.verifier.catch(() => undefined);
  return parts;
}

async function readAsset(asset: Asset, came: (bytes: number) => void): Promise<ArrayBuffer> {
  return new Response(await openAsset(asset, came)).arrayBuffer();
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
