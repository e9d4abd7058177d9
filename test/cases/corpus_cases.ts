import { expect, it } from 'vitest';
import type { DecodedRaster, Decoder } from '../../src/codecs/types.ts';
import { Fault } from '../../src/faults.ts';
import { totalBytes } from '../../src/memory/memory_cost.ts';
import type { FileFacts } from '../../src/metadata/facts.ts';
import { scan } from '../../src/metadata/scan.ts';
import { type CorpusFile, corpusBytes, corpusFiles } from '../fixtures/corpus.ts';
import { heldBytesOf } from '../fixtures/held_bytes.ts';
import { stripsOf } from '../fixtures/raster.ts';
import { firstDifference, stillFacts } from './decoder_cases.ts';

/** Larger ones are the caller's to refuse. */
const MOST_PIXELS = 50_000_000;

interface CorpusCases {
  readonly decoder: Decoder;
  /** An independent reader; undefined where it does not read the file, or not as the standard says. */
  readonly oracle: (
    bytes: Uint8Array,
    file: CorpusFile,
    size: DecodedRaster,
  ) => Promise<Uint8Array | undefined>;
  /** So many files are compared at the least. */
  readonly compared: number;
  /** What is wrong with pixels, 'none' where nothing is; any difference where absent. */
  readonly difference?: (pixels: Uint8Array, expected: Uint8Array, file: CorpusFile) => string;
  /** Files that are not judged by what the corpus says of them. */
  readonly unjudged?: (file: CorpusFile) => boolean;
  /** As the decoder opens files where absent. */
  readonly open?: (bytes: Uint8Array, facts: FileFacts) => DecodedRaster | Promise<DecodedRaster>;
  /** What a job may hold at any strip beside the decoder's cost. Absent: it is not looked at. */
  readonly beside?: (bytes: Uint8Array) => number;
}

/** Every real file of the format is read as another reader reads it, or refused with a Fault, as expected. */
export function corpusCases(cases: CorpusCases): void {
  const { decoder, oracle, difference = firstDifference, unjudged = () => false, beside } = cases;
  const { open = (bytes: Uint8Array, facts: FileFacts) => decoder.open(bytes, facts, {}) } = cases;
  const files = corpusFiles(decoder.format);

  async function compare(bytes: Uint8Array, facts: FileFacts, file: CorpusFile): Promise<string | undefined> {
    using raster = await open(bytes, facts);
    if (raster.width * raster.height > MOST_PIXELS) throw new Fault('limit', 'too many pixels');
    const allowed = totalBytes(decoder.cost(facts, {})) + (beside?.(bytes) ?? Number.POSITIVE_INFINITY);
    const parts: Uint8Array[] = [];
    for (const strip of stripsOf(raster)) {
      if (beside && heldBytesOf(raster, strip) > allowed) return `holds more than ${allowed} bytes`;
      parts.push(strip.pixels.slice());
    }
    const expected = await oracle(bytes, file, raster).catch(() => undefined);
    return expected && difference(Buffer.concat(parts), expected, file);
  }

  it.skipIf(files.length === 0)(
    `${files.length} real files of ${decoder.format} are read as they should be, or refused`,
    async () => {
      const wrong: string[] = [];
      let compared = 0;
      for (const file of files) {
        const bytes = corpusBytes(file);
        // What has too many pixels for the service is its to refuse.
        const { status } = file.expect;
        const isWrong = (answer: number) =>
          ![answer, 413].some((one) => status.includes(one)) && !unjudged(file);
        const facts = scan(bytes) ?? stillFacts(decoder.format, 1, 1);
        if (facts.width * facts.height > MOST_PIXELS) continue;
        try {
          const found = await compare(bytes, facts, file);
          if (isWrong(200)) wrong.push(`${file.file} was read`);
          if (found === undefined) continue;
          compared++;
          if (found !== 'none') wrong.push(`${file.file}: ${found}`);
        } catch (error) {
          if (!(error instanceof Fault)) throw new Error(file.file, { cause: error });
          if (isWrong(422)) wrong.push(`${file.file}: ${error.message}`);
        }
      }
      console.log(`${files.length} real files of ${decoder.format}, ${compared} compared`);
      expect(wrong).toEqual([]);
      expect(compared).toBeGreaterThanOrEqual(cases.compared);
    },
    300_000,
  );
}
