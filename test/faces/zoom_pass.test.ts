import { describe, expect, it } from 'vitest';
import { maxSheets, openZoomPass } from '../../src/faces/zoom_pass.ts';
import { stripsOf } from '../fixtures/raster.ts';
import { redRaster } from '../fixtures/red_finder.ts';

const face = (x: number, y: number, side: number, confidence = 0.3) => ({
  x,
  y,
  w: side,
  h: side,
  confidence,
});

/** Bounding box of what is red on a sheet. */
function redOn({ width, pixels }: { width: number; pixels: Uint8Array }) {
  const xs: number[] = [];
  const ys: number[] = [];
  for (let i = 0; i < pixels.length / 3; i++) {
    if (pixels[i * 3]! - pixels[i * 3 + 1]! < 128) continue;
    xs.push(i % width);
    ys.push(Math.floor(i / width));
  }
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) + 1 - x, h: Math.max(...ys) + 1 - y };
}

describe('openZoomPass', () => {
  it.each([
    ['in the middle, in its own pixels', face(700, 500, 24), 1],
    ['in a corner', face(0, 0, 30), 1],
    ['in the far corner', face(1170, 870, 30), 1],
    ['shrunk to what the model knows well', face(300, 200, 72), 0.5],
  ])('shows a face %s, and finds the way back', async (_, box, zoom) => {
    const zoomPass = (await openZoomPass(redRaster(1200, 900, box), [face(10, 800, 20), box], 0.25))!;
    expect(zoomPass.sheets).toHaveLength(1);
    const seen = { ...redOn(zoomPass.sheets[0]!), confidence: 0.8 };
    expect(seen.w).toBe(box.w * zoom);
    expect(seen.x).toBeGreaterThanOrEqual(80);
    expect(seen.x + seen.w).toBeLessThanOrEqual(160);
    expect(zoomPass.locate(seen, 0)).toEqual({ ...box, confidence: 0.8 });
  });

  it('is undefined where the picture has no more detail, or no face is uncertain', async () => {
    const picture = redRaster(600, 400, face(10, 10, 20));
    expect(await openZoomPass(picture, [face(10, 10, 20)], 1)).toBeUndefined();
    expect(await openZoomPass(picture, [face(10, 10, 200)], 0.5)).toBeUndefined();
    expect(await openZoomPass(picture, [], 0.1)).toBeUndefined();
  });

  it('accepts only boxes at the place of the uncertain face', async () => {
    const uncertain = face(100, 100, 24);
    const zoomPass = (await openZoomPass(redRaster(600, 400, uncertain), [uncertain], 0.3))!;
    expect(zoomPass.locate({ x: 60, y: 60, w: 12, h: 12, confidence: 1 }, 0)).toBeUndefined();
    expect(zoomPass.locate({ x: 300, y: 300, w: 12, h: 12, confidence: 1 }, 0)).toBeUndefined();
    expect(zoomPass.locate({ x: 34, y: 34, w: 12, h: 12, confidence: 1 }, 0)).toBeDefined();
    expect(zoomPass.locate({ x: 34, y: 34, w: 12, h: 12, confidence: 1 }, 1)).toBeUndefined();
  });

  it('takes the most confident of many, on two sheets at most, and reads no further than needed', async () => {
    const many = Array.from({ length: 300 }, (_, i) => face(5 * i, 40, 20, 1 - i / 300));
    let read = 0;
    const picture = redRaster(1600, 900, face(0, 0, 1));
    const counted = {
      ...picture,
      *strips() {
        for (const strip of stripsOf(picture)) {
          read = strip.y + strip.rows;
          yield strip;
        }
      },
    };
    const zoomPass = (await openZoomPass(counted, many, 0.3))!;
    expect(zoomPass.sheets).toHaveLength(maxSheets);
    expect(read).toBe(96);
    const last = zoomPass.locate({ x: 590, y: 590, w: 20, h: 20, confidence: 1 }, 1)!;
    expect(last.x).toBe(5 * 127);
  });
});
