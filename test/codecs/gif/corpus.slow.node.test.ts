import { gifDecoder } from '../../../src/codecs/gif/decoder.ts';
import { readFirstFrame } from '../../../src/codecs/gif/frame.ts';
import { resultOf } from '../../../src/metadata/scan_as.ts';
import { corpusCases } from '../../cases/corpus_cases.ts';
import { readGifBySharp } from '../../fixtures/gif_oracle.ts';

/**
 * libvips says opaque black of what the frame leaves uncovered, unless something is transparent; here it is
 * clear.
 */
function clearUncovered(bytes: Uint8Array, pixels: Uint8Array, width: number): Uint8Array {
  const { left, top, width: frameWidth, height: frameHeight } = resultOf(readFirstFrame(bytes));
  const clear = pixels.slice();
  for (let at = 0; at < clear.length; at += 4) {
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    const covered = x >= left && x < left + frameWidth && y >= top && y < top + frameHeight;
    if (!covered) clear.fill(0, at, at + 4);
  }
  return clear;
}

corpusCases({
  decoder: gifDecoder,
  oracle: async (bytes, _file, { width, height }) =>
    clearUncovered(bytes, await readGifBySharp(bytes, width, height), width),
  // What is wrong with these comes after the first frame, or is the scan's to say.
  unjudged: ({ file }) => file.startsWith('bomb/'),
  compared: 55,
});
