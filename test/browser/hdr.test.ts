import sharp from 'sharp';
import { describe, expect, inject, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { corpusBytes, corpusFiles } from '../fixtures/corpus.ts';
import { browserPath, visit } from './chromium.ts';

/** TransferCharacteristics of ITU-T H.273: PQ and HLG. */
const HDR_TRANSFERS = [16, 18];

/**
 * Chromium shows this one's codes as if they were sRGB's: its matrix is derived from the primaries (code 12),
 * which Chromium's colour spaces do not have.
 */
const SHOWN_UNCONVERTED = new Set(['avif/libavif__cosmos1650_yuv444_10bpc_p3pq.avif']);

const files = corpusFiles('avif').filter((file) => {
  const facts = scan(corpusBytes(file));
  const transfer = facts?.colorimetry?.codePoints?.transfer;
  // What shows through is the page's.
  return facts?.complete && !facts.hasAlpha && transfer !== undefined && HDR_TRANSFERS.includes(transfer);
});

/** RGB of a picture as the service gives it, without looking for faces. */
async function sanitized(bytes: Uint8Array<ArrayBuffer>): Promise<Buffer> {
  const { address, key } = inject('sharedWorker');
  const ops = encodeURIComponent('{"pixelate":{"faces":false},"output":{"format":"png"}}');
  const answer = await fetch(`${address}/v1/sanitize?ops=${ops}`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/avif', Authorization: `Bearer ${key}` },
    body: bytes,
  });
  expect(answer.status).toBe(200);
  return rgb(new Uint8Array(await answer.arrayBuffer()));
}

const rgb = (png: Uint8Array) => sharp(png).removeAlpha().toColourspace('srgb').raw().toBuffer();

/** Mean difference of the samples, and how far 99 % of them are apart at most. */
function differences(ours: Uint8Array, theirs: Uint8Array): { mean: number; of99: number } {
  expect(ours.length).toBe(theirs.length);
  const counts = new Array<number>(256).fill(0);
  for (let i = 0; i < ours.length; i++) counts[Math.abs(ours[i]! - theirs[i]!)]! += 1;
  let sum = 0;
  let seen = 0;
  let of99 = -1;
  counts.forEach((count, difference) => {
    sum += count * difference;
    seen += count;
    if (of99 < 0 && seen >= ours.length * 0.99) of99 = difference;
  });
  return { mean: sum / ours.length, of99 };
}

describe.skipIf(!browserPath || files.length === 0)('pictures of high dynamic range', () => {
  it('come out as a browser shows them on a screen without headroom', { timeout: 120_000 }, async () => {
    await using visitor = await visit({ viewport: { width: 64, height: 64 } });
    const { page } = visitor;
    const means: number[] = [];
    for (const file of files) {
      const bytes = corpusBytes(file);
      const source = `data:image/avif;base64,${Buffer.from(bytes).toString('base64')}`;
      await page.setContent(`<body style="margin: 0"><img style="display: block" src="${source}">`);
      const size = await page.evaluate(async () => {
        const image = document.images[0]!;
        const isShown = await image.decode().then(
          () => true,
          () => false,
        );
        return isShown ? { width: image.naturalWidth, height: image.naturalHeight } : null;
      });
      if (!size) {
        console.log(`hdr: ${file.file}: not shown by the browser`);
        continue;
      }
      await page.setViewportSize(size);
      const shown = await rgb(await page.screenshot({ type: 'png' }));
      const { mean, of99 } = differences(await sanitized(bytes), shown);
      console.log(`hdr: ${file.file}: mean difference ${mean.toFixed(2)}, 99 % within ${of99}`);
      if (!SHOWN_UNCONVERTED.has(file.file)) means.push(mean);
    }
    expect(means.length).toBeGreaterThanOrEqual(5);
    expect(Math.max(...means)).toBeLessThan(2);
  });
});
