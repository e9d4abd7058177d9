import type { InputFormat } from '../metadata/facts.ts';
import { avifDecoder } from './avif.ts';
import { gifDecoder } from './gif.ts';
import { jpegDecoder } from './jpeg.ts';
import { jpegEncoder } from './jpeg_encoder.ts';
import { pngDecoder } from './png.ts';
import { pngEncoder } from './png_encoder.ts';
import { tiffDecoder } from './tiff.ts';
import type { Decoder, Encoder, OutputFormat } from './types.ts';
import { webpDecoder } from './webp.ts';
import { webpEncoder } from './webp_encoder.ts';

/** Every input format and who reads it: one row a format. */
export const decoders: Readonly<Record<InputFormat, Decoder>> = {
  jpeg: jpegDecoder,
  png: pngDecoder,
  webp: webpDecoder,
  avif: avifDecoder,
  tiff: tiffDecoder,
  gif: gifDecoder,
};

/** Every output format and who writes it. */
export const encoders: Readonly<Record<OutputFormat, Encoder>> = {
  jpeg: jpegEncoder,
  png: pngEncoder,
  webp: webpEncoder,
};
