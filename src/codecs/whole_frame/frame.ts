import { createCore } from '../../core/instance.ts';
import { Scratch } from '../../core/scratch.ts';
import { heldBytesFor, ROW_SLACK } from '../../core/sizes.ts';
import type { DecodedRaster, Size, Strip } from '../types.ts';

/** Rows copied out of a frame at a time. */
const STRIP_ROWS = 32;

/** A decoded frame: RGBA, width × height × 4 bytes. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array | Uint8ClampedArray;
}

/**
 * Whether all pixels of a frame are opaque, and whether all are grey.
 */
function pixelTraitsOf({ pixels }: Frame): { opaque: boolean; grey: boolean } {
  let opaque = true;
  let grey = true;
  for (let i = 0; i + 3 < pixels.length && (opaque || grey); i += 4) {
    if (pixels[i + 3] !== 255) opaque = false;
    if (pixels[i] !== pixels[i + 1] || pixels[i] !== pixels[i + 2]) grey = false;
  }
  return { opaque, grey };
}

/**
 * A raster of a frame that is held whole. Consumers may write into strips, so each is a copy in the raster's
 * core, and the frame stays as decoded for the next read. Disposing drops the frame.
 * @param reserveBytes that steps and encoder will probably reserve in the core
 */
export function frameRaster(frame: Frame, reserveBytes = 0): DecodedRaster {
  let current: Frame | null = frame;
  const { width, height } = frame;
  const core = createCore(stripBytes(frame) + reserveBytes);
  return {
    width,
    height,
    ...pixelTraitsOf(frame),
    core,
    *strips(): Generator<Strip> {
      if (!current) throw new TypeError('This raster was disposed of');
      const stride = width * 4;
      using scratch = new Scratch(core, [stripBytes(frame)]);
      for (let y = 0; y < height; y += STRIP_ROWS) {
        const rows = Math.min(STRIP_ROWS, height - y);
        const pixels = core.view(scratch.places[0]!, rows * stride);
        pixels.set(current.pixels.subarray(y * stride, (y + rows) * stride));
        yield { y, rows, pixels };
      }
    },
    [Symbol.dispose]() {
      current = null;
      core[Symbol.dispose]();
    },
  };
}

/** Bytes that `frameRaster` holds beside the frame. */
export const frameRasterBytes = (size: Size): number => heldBytesFor([stripBytes(size)]);

const stripBytes = ({ width, height }: Size) => Math.min(STRIP_ROWS, height) * width * 4 + ROW_SLACK;
