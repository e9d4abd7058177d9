import type { MozJPEGModule } from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import createEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js';
import encoderModule from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm';
import { defaultOptions } from '@jsquash/jpeg/meta.js';
import { limitFault } from '../faults.ts';
import { instantiate, type ModuleFactory } from './emscripten.ts';
import type { Encoder } from './types.ts';
import { gatherFrame } from './whole_frame.ts';

/** JPEG by MozJPEG (jSquash) without trellis, until the core's encoder takes its place. A whole-frame codec. */
export const jpegEncoder: Encoder = {
  format: 'jpeg',
  mediaType: 'image/jpeg',
  extension: 'jpg',
  cost: ({ width, height }) => Math.max(17 << 20, width * height * 12) + width * height * 5,
  async encode(source, quality, room) {
    const pixels = gatherFrame(source);
    const { codec } = await instantiate(
      createEncoder as unknown as ModuleFactory<MozJPEGModule>,
      encoderModule,
    );
    const output = codec.encode(pixels, source.width, source.height, {
      ...defaultOptions,
      quality,
      progressive: false,
      trellis_multipass: false,
    });
    if (output.length > room)
      throw limitFault(`The JPEG output takes ${output.length} bytes, more than the ${room} left`);
    return { bytes: new Uint8Array(output) };
  },
};
