import { describe, expect, it } from 'vitest';
import { gifDecoder } from '../../../src/codecs/gif/decoder.ts';
import { readFirstFrame } from '../../../src/codecs/gif/frame.ts';
import { Fault } from '../../../src/faults.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { resultOf } from '../../../src/metadata/scan_as.ts';
import { attempt, decodeWhole, firstDifference, stillFacts } from '../../cases/decoder_cases.ts';
import { type CorpusFile, corpusBytes, corpusFiles } from '../../fixtures/corpus.ts';
import { readGifBySharp } from '../../fixtures/gif_oracle.ts';

/** What the header scan says, or anything of a file that it takes for none. */
const factsOf = (bytes: Uint8Array) => scan(bytes) ?? stillFacts('gif', 1, 1);

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

/**
 * Files that a decoder of the first frame cannot judge: what is wrong with them comes later, or is the scan's
 * to say.
 */
const files = corpusFiles('gif').filter(({ file }) => !file.startsWith('bomb/'));
const named = (list: readonly CorpusFile[]) => list.map((file) => [file.file, file] as const);
const strictly = (status: number) =>
  named(files.filter(({ expect: wanted }) => wanted.strict && wanted.status[0] === status));

describe.skipIf(files.length === 0)('the GIF decoder on real files', () => {
  it.each(strictly(200))('reads %s as sharp does', async (_name, file) => {
    const bytes = corpusBytes(file);
    const { width, height, pixels } = await decodeWhole(gifDecoder, { bytes, facts: factsOf(bytes) });
    expect([width, height]).toEqual([file.oriented_width, file.oriented_height]);
    const expected = await readGifBySharp(bytes, width, height).catch(() => undefined);
    if (expected === undefined) console.log(`${file.file}: read here, not by sharp`);
    else expect(firstDifference(pixels, clearUncovered(bytes, expected, width))).toBe('none');
  });

  it.each(strictly(422))('refuses %s', async (_name, file) => {
    const bytes = corpusBytes(file);
    expect(await attempt(gifDecoder, { bytes, facts: factsOf(bytes) })).toBeInstanceOf(Fault);
  });

  it.each(named(files.filter(({ expect: wanted }) => !wanted.strict)))(
    'reads %s or refuses it with a Fault',
    async (_name, file) => {
      const bytes = corpusBytes(file);
      const outcome = await attempt(gifDecoder, { bytes, facts: factsOf(bytes) });
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Fault);
    },
  );
});
