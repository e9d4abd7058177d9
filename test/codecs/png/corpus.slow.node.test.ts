import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { pngDecoder } from '../../../src/codecs/png/decoder.ts';
import { pngEncoder } from '../../../src/codecs/png/encoder.ts';
import { Fault } from '../../../src/faults.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { firstDifference } from '../../cases/decoder_cases.ts';
import { corpusBytes, corpusFiles } from '../../fixtures/corpus.ts';
import { heldBytesOf } from '../../fixtures/held_bytes.ts';
import { rasterOf, stripsOf } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';

const ROOM = 1 << 26;

describe('PNG decoder on real files', () => {
  const files = corpusFiles('png');
  it.skipIf(files.length === 0)(`meets what is expected of ${files.length} files`, async () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const file of files) {
      const bytes = corpusBytes(file);
      const facts = scan(bytes);
      if (!facts || facts.width * facts.height > 60_000_000) continue;
      const large = facts.width * facts.height > 4_000_000;
      let outcome: Uint8Array | Fault;
      try {
        outcome = await readAll(bytes, large);
      } catch (error) {
        if (!(error instanceof Fault)) throw new Error(file.file, { cause: error });
        outcome = error;
      }
      const status = outcome instanceof Fault ? 422 : 200;
      // Larger than the service's limit of pixels is for another room to refuse.
      if (!file.expect.status.includes(status) && !file.expect.status.includes(413)) {
        wrong.push(`${file.file}: ${outcome instanceof Fault ? outcome.message : 'was read'}`);
      }
      if (outcome instanceof Fault || large || facts.blocks.some(({ name }) => name === 'icc')) continue;
      const oracle = await readBySharp(bytes).catch(() => undefined);
      if (!oracle) continue;
      compared++;
      const found = firstDifference(outcome, oracle.pixels);
      if (found !== 'none') wrong.push(`${file.file}: ${found}`);
    }
    console.log(`PNG corpus: ${files.length} files, ${compared} compared pixel by pixel`);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(150);
  });

  /** Every pixel, or none where they would fill the memory; never more than a few megabytes held. */
  async function readAll(bytes: Uint8Array, large: boolean): Promise<Uint8Array> {
    const facts = scan(bytes)!;
    const cost = totalBytes(pngDecoder.cost(facts, {}));
    using raster = await pngDecoder.open(bytes, facts, {});
    const parts: Uint8Array[] = [];
    for (const strip of stripsOf(raster)) {
      expect(heldBytesOf(raster, strip)).toBeLessThanOrEqual(cost);
      expect(cost).toBeLessThan(4_000_000);
      if (!large) parts.push(strip.pixels.slice());
    }
    return Buffer.concat(parts);
  }
});

describe('PNG encoder on real photographs', () => {
  const photographs = corpusFiles('jpeg')
    .filter(({ file }) => file.startsWith('faces/'))
    .slice(0, 8);
  it.skipIf(photographs.length === 0)('writes them no larger than sharp does by default', async () => {
    for (const file of photographs) {
      const decoded = sharp(corpusBytes(file)).resize({ width: 900 }).toColourspace('srgb').removeAlpha();
      const theirs = await decoded.clone().png().toBuffer();
      const picture = await readBySharp(theirs);
      using output = await pngEncoder.encode(rasterOf(picture), 90, ROOM);
      expect(output.bytes.length, file.file).toBeLessThanOrEqual(theirs.length);
    }
  });
});
