import sharp from 'sharp';
import { jpegDecoder } from '../../../src/codecs/jpeg/decoder.ts';
import { corpusCases } from '../../cases/corpus_cases.ts';
import { openJpeg } from '../../fixtures/open_jpeg.ts';

/**
 * Files whose entropy-coded data are corrupt: other decoders show noise and warn. Here corrupt data are
 * refused, though the corpus would have them read.
 */
const corrupt = new Set([
  'jpeg-encoding/wuffs__182.0-original.jpg',
  'jpeg-encoding/wuffs__182.2-byte-change.jpg',
  'jpeg-meta/Pillow__hopper_bad_exif.jpg',
]);

/**
 * Progressive files that stop before all bits were sent: libjpeg guesses the missing ones (block smoothing),
 * we do not.
 */
const smoothed = /peacock\.progressive\.scan00[01458]/;

/** RGBA as libjpeg-turbo gives it; nothing where it reads with a warning, or inks. */
async function readByLibjpeg(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const { data, info } = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true });
  if ((await sharp(bytes).metadata()).space === 'cmyk') return undefined;
  const { channels } = info;
  const [green, blue] = channels >= 3 ? [1, 2] : [0, 0];
  const pixels = new Uint8Array((data.length / channels) * 4).fill(255);
  for (let from = 0, to = 0; from < data.length; from += channels, to += 4) {
    pixels.set([data[from]!, data[from + green]!, data[from + blue]!], to);
  }
  return pixels;
}

corpusCases({
  decoder: jpegDecoder,
  open: (bytes) => openJpeg(bytes),
  oracle: async (bytes, { file }) => (smoothed.test(file) ? undefined : readByLibjpeg(bytes)),
  unjudged: ({ file }) => corrupt.has(file),
  compared: 120,
});
