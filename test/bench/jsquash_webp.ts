// To be imported after scripts/plain_node.mjs, whose hooks load the WebAssembly.
import createDecoder, { type WebPModule as Decoding } from '@jsquash/webp/codec/dec/webp_dec.js';
import decoderModule from '@jsquash/webp/codec/dec/webp_dec.wasm';
import type { WebPModule as Encoding } from '@jsquash/webp/codec/enc/webp_enc.js';
import createEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js';
import encoderModule from '@jsquash/webp/codec/enc/webp_enc_simd.wasm';
import { defaultOptions } from '@jsquash/webp/meta.js';
import { jsquashInstance, type ModuleFactory } from '../fixtures/jsquash_instance.ts';

/** The largest that the pipeline takes; its heap passes 700 MB then. */
export const MOST_MEGAPIXELS_FOR_JSQUASH = 50;

/** What jSquash (libwebp) does: decodes a WebP and encodes it again, at libwebp's default method. */
export async function rewrittenByJsquash(file: Uint8Array, quality: number): Promise<Uint8Array> {
  const decoder = await jsquashInstance(createDecoder as ModuleFactory<Decoding>, decoderModule);
  const { data, width, height } = decoder.decode(file);
  const factory = createEncoder as unknown as ModuleFactory<Encoding>;
  const encoder = await jsquashInstance(factory, encoderModule);
  const options = { ...defaultOptions, quality, method: 4 };
  return encoder.encode(data, width, height, options)!.slice();
}
