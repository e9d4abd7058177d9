import { describe, expect, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { corpusBytes, corpusFiles } from '../fixtures/corpus.ts';
import { browserPath, visit } from './chromium.ts';
import { differences, shownByBrowser, shownByService } from './corpus_pictures.ts';

/** TransferCharacteristics of ITU-T H.273: PQ and HLG. */
const HDR_TRANSFERS = [16, 18];

/**
 * Chromium shows this one's codes as if they were sRGB's: its matrix is derived from the primaries (code 12),
 * which Chromium's colour spaces do not have.
 */
const SHOWN_UNCONVERTED = new Set(['avif/libavif__cosmos1650_yuv444_10bpc_p3pq.avif']);

/**
 * Chromium widens alpha of full range where its item has no code points of its own, as if it were of narrow
 * range; libavif does not. These have code points.
 */
const HAS_ALPHA_POINTS = /plum-blossom/;

/** The largest picture that is looked at, in pixels. */
const MAX_PIXELS = 4e6;

const isHdr = (transfer = 0) => HDR_TRANSFERS.includes(transfer);

describe.skipIf(!browserPath || corpusFiles('avif').length === 0)('AVIF files of the corpus', () => {
  it('come out as a browser shows them on a screen without headroom', { timeout: 300_000 }, async () => {
    await using visitor = await visit({ viewport: { width: 64, height: 64 } });
    const faults: string[] = [];
    let compared = 0;
    for (const file of corpusFiles('avif')) {
      const bytes = corpusBytes(file);
      const facts = scan(bytes);
      if (!facts?.complete || facts.width * facts.height > MAX_PIXELS) continue;
      // An animation may be shown at any of its frames.
      if (facts.frames > 1 || (facts.hasAlpha && !HAS_ALPHA_POINTS.test(file.file))) continue;
      const shown = await shownByBrowser(visitor, bytes);
      if (!shown) continue;
      const ours = await shownByService(bytes);
      if (typeof ours === 'number') {
        faults.push(`${file.file} is answered ${ours}`);
        continue;
      }
      const { mean, most, of99 } = differences(ours, shown.pixels);
      const hdr = isHdr(facts.colorimetry?.codePoints?.transfer) ? 'hdr: ' : '';
      console.log(
        `${hdr}${file.file}: mean difference ${mean.toFixed(2)}, 99 % within ${of99}, most ${most}`,
      );
      compared += 1;
      if (mean > 1.5 && !SHOWN_UNCONVERTED.has(file.file)) faults.push(`${file.file} differs by ${mean}`);
    }
    expect(faults).toEqual([]);
    expect(compared).toBeGreaterThan(70);
  });
});
