import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import type {} from '../setup/shared_worker.ts';
import { firefoxPath, visitFirefox } from './firefox.ts';
import { people, phoneJpeg, photoSize } from './photos.ts';
import { detail, pixelsOf } from './pixel_measures.ts';

describe.skipIf(!firefoxPath)('in Firefox', () => {
  it('from a chosen photo to the clean file, on this device', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'page-photos-'));
    const photo = await phoneJpeg();
    writeFileSync(join(folder, 'holiday.jpg'), photo);
    await using firefox = await visitFirefox();
    const shown = (selector: string) =>
      `const found = document.querySelector('${selector}'); return found !== null && found.checkVisibility();`;
    const textOf = (selector: string) =>
      firefox.evaluate<string>('return document.querySelector(arguments[0]).textContent;', selector);
    await firefox.open(inject('sharedWorker').address);
    await firefox.evaluate(`window.refused = [];
      addEventListener('securitypolicyviolation', (event) => window.refused.push(event.violatedDirective));`);
    await firefox.until(shown('#intake'));
    await firefox.choose('#file', join(folder, 'holiday.jpg'));
    await firefox.until(shown('.face'));
    await firefox.until(shown('#mosaic'));
    expect(await firefox.evaluate(`return document.querySelectorAll('.face').length;`)).toBe(people.length);
    expect(await textOf('#gravest')).toMatch(/^It was taken at 48\.858333°\sN/);
    await firefox.until(`return document.querySelector('.world .land')?.getAttribute('d')?.length > 1000;`);
    // The preview is the mosaic: its canvas has colours where the faces are, and none beside them.
    const drawn = `const canvas = document.querySelector('#mosaic');
      const scale = canvas.width / ${photoSize.width};
      const alpha = (x, y) => canvas.getContext('2d').getImageData(x * scale, y * scale, 1, 1).data[3];
      return [alpha(215, 235), alpha(420, 600)].join();`;
    await firefox.until(`${drawn.replace('return', 'const alphas =')} return alphas === '255,0';`);
    mkdirSync('.screenshots', { recursive: true });
    writeFileSync('.screenshots/firefox-edit.png', await firefox.screenshot());

    await firefox.click('#clean');
    await firefox.until(shown('#result'));
    expect(await textOf('#report')).toContain('no metadata is left');
    expect(await textOf('#cost')).toContain('Nothing was sent');
    writeFileSync('.screenshots/firefox-result.png', await firefox.screenshot());
    await firefox.click('#download');
    const clean = await firefox.downloaded('photo-1.jpg');
    expect(scan(new Uint8Array(clean))).toMatchObject({ ...photoSize, orientation: 1, blocks: [] });
    const [before, after] = [await pixelsOf(photo), await pixelsOf(clean)];
    for (const face of people) {
      expect(detail(before, face)).toBeGreaterThan(0.12);
      expect(detail(after, face)).toBeLessThan(0.1);
    }
    expect(await firefox.evaluate('return window.refused;')).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  });
});
