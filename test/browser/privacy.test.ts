import { expect } from 'vitest';
import { journey } from './journey.ts';
import { screenshot } from './page_actions.ts';

journey(
  '"nothing is sent" leads to how to check it, on one screen, in the page’s language',
  async (visitor) => {
    const { page, context } = visitor;
    for (const language of ['en', 'de']) {
      await page.selectOption('#language', language);
      await page.waitForSelector(`html[lang="${language}"]`);
      const [opened] = await Promise.all([
        context.waitForEvent('page'),
        page.click('.drop [href^="/privacy"]'),
      ]);
      await opened.waitForLoadState();
      expect(await opened.isVisible(`#check-${language}`)).toBe(true);
      expect(await opened.locator('article:visible').count()).toBe(1);
      expect(await opened.locator('article:visible').getAttribute('lang')).toBe(language);
      const { scrollHeight, innerHeight } = await opened.evaluate(() => ({
        scrollHeight: document.documentElement.scrollHeight,
        innerHeight: window.innerHeight,
      }));
      expect(scrollHeight).toBeLessThanOrEqual(innerHeight);
      await screenshot(opened, `privacy-${language}`);
      await opened.close();
    }
    // From the foot, in the same tab.
    await page.click('.foot [href^="/privacy"]');
    await page.waitForSelector('article#de:visible');
    await page.goBack();
  },
);
