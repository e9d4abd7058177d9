import { describe, expect, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { withItemThumbnail } from '../fixtures/avif_files.ts';
import { encodeByAvifenc, haveAvifTools } from '../fixtures/avif_tools.ts';
import { av1C } from '../fixtures/avif_writer.ts';
import { corpusBytes, corpusFiles } from '../fixtures/corpus.ts';
import { photoPicture } from '../fixtures/raster.ts';
import { valuesOf } from '../metadata/values/read.ts';
import { browserPath, visit } from './chromium.ts';
import { differences, partOf, shownByBrowser, shownByService } from './corpus_pictures.ts';

/** TransferCharacteristics of ITU-T H.273: PQ and HLG. */
const HDR_TRANSFERS = [16, 18];

/**
 * Chromium widens alpha of full range where its item has no code points of its own, as if it were of narrow
 * range; libavif does not. These have code points.
 */
const HAS_ALPHA_POINTS = /plum-blossom/;

/** The largest picture that is looked at, in pixels. */
const MAX_PIXELS = 4e6;

const isHdr = (transfer = 0) => HDR_TRANSFERS.includes(transfer);

/**
 * Code points of made pictures whose matrix is derived from the primaries (code 12), which Chromium's colour
 * spaces do not have: it shows their codes as if they were sRGB's.
 */
const CHROMA_DERIVED = ['12/16/12', '9/16/12', '9/18/12', '12/13/12', '9/1/12', '1/13/12'];

describe.skipIf(!browserPath || !haveAvifTools)('AVIF files made here', () => {
  it.each(CHROMA_DERIVED)('of code points %s come out as a browser shows them', async (codes) => {
    await using visitor = await visit({ viewport: { width: 64, height: 64 } });
    const switches = ['-d', '10', '-y', '444', '--min', '5', '--max', '5', '-s', '9', '--cicp', codes];
    const bytes = await encodeByAvifenc(photoPicture(96, 64, 12), switches);
    const shown = await shownByBrowser(visitor, bytes);
    const ours = await shownByService(bytes);
    expect(differences(ours as Buffer, shown!.pixels).mean).toBeLessThan(1);
  });
});

describe.skipIf(!browserPath || !haveAvifTools)('an AV1 thumbnail inside a file', () => {
  it('opens in a browser as the picture it was made of', async () => {
    await using visitor = await visit({ viewport: { width: 64, height: 64 } });
    const encoded = (seed: number) =>
      encodeByAvifenc(photoPicture(48, 20, seed), ['-s', '9', '-y', '420', '--cicp', '1/13/6']);
    const [picture, thumbnail] = await Promise.all([encoded(1), encoded(2)]);
    const configuration = av1C(0x0c);
    const options = { width: 48, height: 20, configuration, secret: 'in a profile' };
    const file = withItemThumbnail(picture, thumbnail, options);
    const [found] = valuesOf(file, { thumbnails: true })!.thumbnails;
    const [given, original] = [
      await shownByBrowser(visitor, found!.image!),
      await shownByBrowser(visitor, thumbnail),
    ];
    expect(given!.pixels.length).toBe(48 * 20 * 3);
    expect(given).toEqual(original);
  });
});

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
      // Chromium shows all of a picture whose clean aperture does not begin in its corner.
      const isCut = facts.cleanAperture && ours.length < shown.pixels.length;
      const theirs = isCut ? await partOf(shown, facts.cleanAperture!) : shown.pixels;
      const { mean, most, of99 } = differences(ours, theirs);
      const hdr = isHdr(facts.colorimetry?.codePoints?.transfer) ? 'hdr: ' : '';
      console.log(
        `${hdr}${file.file}: mean difference ${mean.toFixed(2)}, 99 % within ${of99}, most ${most}`,
      );
      compared += 1;
      if (mean > 1.5) faults.push(`${file.file} differs by ${mean}`);
    }
    expect(faults).toEqual([]);
    expect(compared).toBeGreaterThan(70);
  });
});
