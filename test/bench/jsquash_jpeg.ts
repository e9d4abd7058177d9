// To be imported after scripts/plain_node.mjs, whose hooks load the WebAssembly.
import * as decode from '@jsquash/jpeg/decode.js';
import * as encode from '@jsquash/jpeg/encode.js';

await decode.init((await import('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm')).default);
await encode.init((await import('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm')).default);

/** Its trellis takes a second for three megapixels: larger pictures are left out. */
export const MOST_MEGAPIXELS_FOR_JSQUASH = 12;

/** What jSquash (MozJPEG) does at its defaults: decodes a JPEG, encodes it again. */
export const rewrittenByJsquash = async (
  file: Uint8Array<ArrayBuffer>,
  quality: number,
): Promise<ArrayBuffer> => encode.default(await decode.default(file.buffer), { quality });
