import type { ColourExports } from './colour.ts';
import type { DeflateExports } from './deflate.ts';
import type { InflateExports } from './inflate.ts';
import type { JpegDecodeExports } from './jpeg_decode.ts';
import type { JpegEncodeExports } from './jpeg_encode.ts';
import type { KernelExports } from './kernels.ts';
import type { PngExports } from './png.ts';
import type { WebpAlphaExports } from './webp_alpha.ts';
import type { WebpAlphaEncodeExports } from './webp_alpha_encode.ts';
import type { WebpLosslessExports } from './webp_lossless.ts';

/**
 * What wasm/assembly/index.ts exports, as the host sees it: every pointer and size is an unsigned 32-bit
 * number of bytes.
 */
export interface MemoryExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  alloc(bytes: number): number;
  mark(): number;
  release(at: number): void;
  peakBytes(): number;
}

/** All parts of the core together; each part adds its own interface in a file beside this one. */
export interface CoreExports
  extends MemoryExports,
    ColourExports,
    DeflateExports,
    InflateExports,
    JpegDecodeExports,
    JpegEncodeExports,
    KernelExports,
    PngExports,
    WebpAlphaEncodeExports,
    WebpAlphaExports,
    WebpLosslessExports {}
