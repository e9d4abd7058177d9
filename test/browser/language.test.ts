import { describe, expect } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { journey } from './journey.ts';
import { cleanPhoto, download, drop, dropPhonePhoto, screenshot, waitForFaces } from './page_actions.ts';
import { heic, people, phoneJpeg, photoSize } from './photos.ts';
import { detail, pixelsOf } from './pixel_measures.ts';

describe('in German', () => {
  journey(
    'from the file to the result, by the language of the browser',
    { locale: 'de-AT' },
    async ({ page }) => {
      await page.waitForSelector('html[lang="de"]');
      expect(await page.textContent('#intake-title')).toBe('Was verrät Ihr\u00a0Foto?');
      await drop(page, await phoneJpeg(), 'urlaub.jpg', 'image/jpeg');
      await waitForFaces(page);
      await screenshot(page, 'german-edit');
      expect(await page.textContent('#faces-found')).toBe('2 Gesichter gefunden, alle verborgen.');
      expect(await page.textContent('#padding-value')).toBe('1,5 ×');
      expect(await page.getAttribute('#face-list button', 'aria-label')).toMatch(/^Gesicht 1 verbergen/);
      // What the file gives away, above all the place.
      expect(await page.textContent('#gravest')).toMatch(/^Aufnahmeort: \d+,\d{6}°\s[NS], /);
      expect(await page.textContent('#findings')).toContain('Das Gerät: ');
      await cleanPhoto(page);
      await screenshot(page, 'german-result');
      expect(await page.textContent('#result')).toContain('2 Gesichter wurden gefunden und verborgen.');
      expect(await page.textContent('#download')).toMatch(/^JPG herunterladen, \d+ KB$/);
      const { bytes } = await download(page);
      expect(scan(new Uint8Array(bytes))).toMatchObject({ ...photoSize, blocks: [] });
      const result = await pixelsOf(bytes);
      for (const face of people) expect(detail(result, face)).toBeLessThan(0.1);
      // Nothing visible is left in English, but for code.
      const english = await page.evaluate(() => {
        for (const element of document.querySelectorAll('option, code')) element.remove();
        return document.body.innerText.match(/\b(the|and|photo|hide|of|is|to)\b/gi) ?? [];
      });
      expect(english).toEqual([]);
    },
  );

  journey(
    'once chosen, with everything that has been done still there',
    { locale: 'en-GB' },
    async ({ page }) => {
      await dropPhonePhoto(page);
      await page.click('#face-list button');
      expect(await page.textContent('#faces-visible')).toBe('1 face is visible');
      await page.selectOption('#language', 'de');
      await page.waitForSelector('html[lang="de"]');
      expect(await page.textContent('#faces-found')).toBe('2 Gesichter gefunden, 1 verborgen.');
      expect(await page.textContent('#faces-visible')).toBe('1 Gesicht ist sichtbar');
      expect(await page.textContent('#clean')).toBe('Foto reinigen');
      expect(await page.textContent('#zoom-fit')).toBe('100 %');
      await page.selectOption('#language', 'en');
      await page.waitForSelector('html[lang="en"]');
      expect(await page.textContent('#clean')).toBe('Clean the photo');
      await page.selectOption('#language', 'de');
      await page.waitForSelector('html[lang="de"]');
      await drop(page, heic(Buffer.from('no picture')), 'IMG_1.HEIC', '');
      await page.waitForSelector('#error-message:has-text("Dieser Browser kann keine HEIC-Fotos lesen")');
      expect(await page.textContent('#error-message')).toContain('Öffnen Sie diese Seite in Safari');
      expect(await page.isVisible('#error-message button:has-text("Das JPEG wählen")')).toBe(true);
      await page.reload();
      await page.waitForSelector('html[lang="de"]');
      expect(await page.textContent('#choose')).toBe('Fotos wählen');
    },
  );
});
