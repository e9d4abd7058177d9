import sharp from 'sharp';
import { expect, inject } from 'vitest';
import type { Visit } from './chromium.ts';

/** RGB of a file as the browser shows it on white, at one pixel for each; null where it does not. */
export async function shownByBrowser(
  { page }: Visit,
  bytes: Uint8Array,
): Promise<{ readonly width: number; readonly height: number; readonly pixels: Buffer } | null> {
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
  if (!size) return null;
  await page.setViewportSize(size);
  const shot = await page.screenshot({ type: 'png', omitBackground: true });
  const { channels } = await sharp(shot).stats();
  // Decoded, but nothing of it is drawn.
  if (channels[3]?.max === 0) return null;
  return { ...size, pixels: await rgb(shot) };
}

/** RGB of a part of what a browser shows. */
export const partOf = (
  { width, height, pixels }: { readonly width: number; readonly height: number; readonly pixels: Buffer },
  part: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 3 } })
    .extract({ left: part.x, top: part.y, width: part.width, height: part.height })
    .raw()
    .toBuffer();

/** RGB of a picture on white as the service gives it, faces not looked for; the status where it refuses. */
export async function shownByService(bytes: Uint8Array<ArrayBuffer>): Promise<Buffer | number> {
  const { address, key } = inject('sharedWorker');
  const ops = encodeURIComponent('{"pixelate":{"faces":false},"output":{"format":"png"}}');
  const answer = await fetch(`${address}/v1/sanitize?ops=${ops}`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/avif', Authorization: `Bearer ${key}` },
    body: bytes,
  });
  return answer.status === 200 ? rgb(new Uint8Array(await answer.arrayBuffer())) : answer.status;
}

const rgb = (png: Uint8Array) =>
  sharp(png).flatten({ background: '#fff' }).removeAlpha().toColourspace('srgb').raw().toBuffer();

/** Mean difference of the samples, the largest, and how far 99 % of them are apart at most. */
export function differences(
  ours: Uint8Array,
  theirs: Uint8Array,
): { readonly mean: number; readonly most: number; readonly of99: number } {
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
  return { mean: sum / ours.length, most: counts.findLastIndex((count) => count > 0), of99 };
}
