import createDecoder, { type WebPModule } from '@jsquash/webp/codec/dec/webp_dec.js';
import decoderModule from '@jsquash/webp/codec/dec/webp_dec.wasm';
import { decodingFault } from '../../faults.ts';
import type { FileFacts } from '../../metadata/facts.ts';
import type { Decoder } from '../types.ts';
import { instantiate, type ModuleFactory } from '../whole_frame/emscripten.ts';
import { type Frame, frameRaster } from '../whole_frame/frame.ts';
import { type FirstFrame, firstFrame } from './first_frame.ts';

/** The heap an instance starts with, measured (libwebp as built by jSquash 1.5). */
const INITIAL_HEAP = 17 * 1024 * 1024;
/**
 * Heap a pixel, measured at 3 and 6 MP: lossy 5.5, lossless 8.3 with the input; 10 % are added for heap
 * growth in steps.
 */
const HEAP_BYTES_PER_PIXEL = 9.2;
/**
 * The decoded frame is copied out of the heap once, and an animation's first frame once more onto its canvas.
 */
const FRAME_BYTES_PER_PIXEL = 4;

/**
 * Still WebP, or the first frame of an animation on its canvas, by libwebp (jSquash). A whole-frame codec.
 */
export const webpDecoder: Decoder = {
  format: 'webp',

  cost({ width, height, frames }: FileFacts): number {
    const pixels = width * height;
    const copies = frames > 1 ? 2 : 1;
    return Math.max(INITIAL_HEAP, pixels * HEAP_BYTES_PER_PIXEL) + copies * pixels * FRAME_BYTES_PER_PIXEL;
  },

  async open(bytes, facts) {
    const animated = firstFrame(bytes);
    const frame = await decode(animated ? animated.still : bytes, this.cost(facts, {}));
    const expected = animated ?? facts;
    if (frame.width !== expected.width || frame.height !== expected.height) {
      throw decodingFault(
        `The WebP header promises ${expected.width} × ${expected.height} pixels but its image has ${frame.width} × ${frame.height}`,
      );
    }
    return frameRaster(animated ? onCanvas(frame, animated, facts) : frame);
  },
};

async function decode(bytes: Uint8Array, expectedBytes: number): Promise<Frame> {
  const factory = createDecoder as ModuleFactory<WebPModule>;
  using decoder = await instantiate(factory, decoderModule, expectedBytes);
  let image: { width: number; height: number; data: Uint8ClampedArray } | null;
  try {
    image = decoder.run((codec) => codec.decode(bytes));
  } catch {
    image = null;
  }
  if (!image) throw decodingFault('The WebP image data is corrupt');
  return { width: image.width, height: image.height, pixels: image.data };
}

/** The frame on its transparent canvas; what lies outside the canvas is a defect of the file. */
function onCanvas(frame: Frame, place: FirstFrame, canvas: { width: number; height: number }): Frame {
  const { width, height } = canvas;
  if (place.x + frame.width > width || place.y + frame.height > height) {
    throw decodingFault('The first frame of the WebP lies outside its canvas');
  }
  if (frame.width === width && frame.height === height) return frame;
  const pixels = new Uint8Array(width * height * 4);
  for (let row = 0; row < frame.height; row++) {
    const line = frame.pixels.subarray(row * frame.width * 4, (row + 1) * frame.width * 4);
    pixels.set(line, ((place.y + row) * width + place.x) * 4);
  }
  return { width, height, pixels };
}
