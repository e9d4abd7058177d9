import type { InputFormat } from '../metadata/facts.ts';
import { avifDecoder } from './avif/decoder.ts';
import { gifDecoder } from './gif/decoder.ts';
import { jpegDecoder } from './jpeg/decoder.ts';
import { jpegEncoder } from './jpeg/encoder.ts';
import { pngDecoder } from './png/decoder.ts';
import { pngEncoder } from './png/encoder.ts';
import { tiffDecoder } from './tiff/decoder.ts';
import type { Decoder, Encoder, OutputFormat } from './types.ts';
import { webpDecoder } from './webp/decoder.ts';
import { webpEncoder } from './webp/encoder.ts';

/** The decoder of every input format. */
export const decoders: Readonly<Record<InputFormat, Decoder>> = {
  jpeg: jpegDecoder,
  png: pngDecoder,
  webp: webpDecoder,
  avif: avifDecoder,
  tiff: tiffDecoder,
  gif: gifDecoder,
};

/** The encoder of every output format. */
export const encoders: Readonly<Record<OutputFormat, Encoder>> = {
  jpeg: jpegEncoder,
  png: pngEncoder,
  webp: webpEncoder,
};
