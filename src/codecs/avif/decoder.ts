import createDecoder, { type AVIFModule } from '@jsquash/avif/codec/dec/avif_dec.js';
import decoderModule from '@jsquash/avif/codec/dec/avif_dec.wasm';
import { decodingFault } from '../../faults.ts';
import type { FileFacts } from '../../metadata/facts.ts';
import type { Decoder } from '../types.ts';
import { instantiate, type ModuleFactory } from '../whole_frame/emscripten.ts';
import { frameRaster } from '../whole_frame/frame.ts';

/** The heap an instance starts with, measured (libavif and dav1d as built by jSquash 2.1). */
const INITIAL_HEAP = 17 * 1024 * 1024;
/** Decoder state that does not grow with the image, measured: tables, threads' scratch, the input. */
const FIXED_HEAP = 16 * 1024 * 1024;
/** Heap a pixel, measured at 3 and 6 MP: 8-bit 4:2:0 17, 4:4:4 21; 10-bit 33. */
const HEAP_BYTES_PER_PIXEL_8 = 22;
const HEAP_BYTES_PER_PIXEL_16 = 34;
/** The decoded frame is copied out of the heap. */
const FRAME_BYTES_PER_PIXEL = 4;
/** Bits a sample that the decoder is asked to deliver. */
const OUTPUT_BITS = 8;

/**
 * AVIF stills and the first image of a sequence by libavif (jSquash); irot and imir are left to
 * `facts.orientation`.
 */
export const avifDecoder: Decoder = {
  format: 'avif',

  cost({ width, height, bitDepth }: FileFacts): number {
    const pixels = width * height;
    const heap = FIXED_HEAP + pixels * (bitDepth > 8 ? HEAP_BYTES_PER_PIXEL_16 : HEAP_BYTES_PER_PIXEL_8);
    return Math.max(INITIAL_HEAP, heap) + pixels * FRAME_BYTES_PER_PIXEL;
  },

  async open(bytes, facts) {
    const factory = createDecoder as ModuleFactory<AVIFModule>;
    using decoder = await instantiate(factory, decoderModule, this.cost(facts, {}));
    let image: { data: Uint8ClampedArray | Uint16Array; width: number; height: number } | null;
    try {
      image = decoder.run((codec) => codec.decode(bytes, OUTPUT_BITS));
    } catch {
      image = null;
    }
    if (!image || image.data instanceof Uint16Array) throw decodingFault('The AVIF image data is corrupt');
    if (image.width !== facts.width || image.height !== facts.height) {
      throw decodingFault(
        `The AVIF header promises ${facts.width} × ${facts.height} pixels but its image has ${image.width} × ${image.height}`,
      );
    }
    return frameRaster({ width: image.width, height: image.height, pixels: image.data });
  },
};
