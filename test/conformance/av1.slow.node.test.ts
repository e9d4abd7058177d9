import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { readAv1 } from '../fixtures/av1/av1_reader.ts';
import { keptStream } from '../fixtures/av1/kept_streams.ts';
import { fileOfItem } from '../fixtures/avif_files.ts';
import { inFolder } from '../fixtures/in_folder.ts';
import { haveTools } from '../fixtures/tools.ts';
import { givenStreams } from './given_files.ts';
import { madeStreams } from './made_streams.ts';
import { Tally, verdictOf } from './verdict.ts';

/** How many streams of each family are made: more find more, and take longer. */
const EACH = Number(env.AV1_STREAMS ?? 14);
const TIMEOUT = Math.max(300_000, EACH * 30_000);
/** A folder of AV1 and AVIF files, such as dav1d's and libavif's test data. */
const GIVEN = env.AV1_TESTDATA;

const haveDecoders = haveTools('dav1d', 'aomdec');
const haveEncoders = haveTools('aomenc', 'SvtAv1EncApp', 'rav1e');

const UNMADE = { kind: 'refused', why: 'its encoder made none' } as const;

/** Verdicts on all streams of a folder, printed. */
function verdictsOf(folder: string): Tally {
  const tally = new Tally();
  for (const { family, name, obus } of givenStreams(folder)) tally.add(family, name, verdictOf(obus));
  console.log(`${tally}`);
  return tally;
}

describe.skipIf(!haveDecoders)('AV1 pictures have every sample of dav1d’s', () => {
  it.skipIf(!haveEncoders)(
    'streams that three encoders make by seeds',
    () => {
      const tally = new Tally();
      for (const { family, name, obus } of madeStreams(EACH)) {
        const stream = obus();
        tally.add(family, name, stream ? verdictOf(stream) : UNMADE);
      }
      console.log(`${tally}`);
      expect(tally.different).toEqual([]);
      expect(tally.refusals.filter((why) => why !== UNMADE.why && !why.endsWith('; so says libaom'))).toEqual(
        [],
      );
      expect(tally.exact).toBeGreaterThan(20 * tally.refusals.length);
    },
    TIMEOUT,
  );

  it('files of every kind, and of the folder AV1_TESTDATA', () => {
    const obus = keptStream('still-420-8');
    // IVF: a header of 32 bytes that says so, of a frame its length and its time.
    const ivf = Buffer.concat([Buffer.alloc(44), obus]);
    ivf.writeUInt16LE(32, 6);
    ivf.writeUInt32LE(obus.length, 32);
    const broken = obus.slice(0, obus.length >> 1);
    inFolder((folder) => {
      const files = { 'a.obu': obus, 'b.ivf': ivf, 'c.avif': fileOfItem(obus, { width: 101, height: 75 }) };
      for (const [name, file] of Object.entries({ ...files, 'd.obu': broken, 'e.txt': broken })) {
        writeFileSync(join(folder, name), file);
      }
      const { different, refusals, exact } = verdictsOf(folder);
      expect([different, refusals.length, exact]).toEqual([[], 1, 3]);
    });
    if (GIVEN) expect(verdictsOf(GIVEN).different).toEqual([]);
  });

  it('tell of one sample that is another', () => {
    const obus = keptStream('still-420-8');
    const wrong = (data: Uint8Array) => {
      const planes = readAv1(data);
      planes[2]!.samples[1000]! ^= 1;
      return planes;
    };
    expect(verdictOf(obus, wrong)).toMatchObject({
      kind: 'different',
      why: expect.stringContaining('plane 2 at 31, 19'),
    });
  });
});
