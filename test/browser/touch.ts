import type { CDPSession, Page } from 'playwright-core';
import { toWindow } from './page_actions.ts';

/** A point of the upright photo, in its pixels. */
type PhotoPoint = readonly [x: number, y: number];

/** A phone with touch. */
export const phone = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

/** Steps that a finger takes from one point to another. */
const STEPS = 6;

/** Moves one finger for each path, all at once. */
export async function moveFingers(
  page: Page,
  session: CDPSession,
  paths: readonly (readonly [from: PhotoPoint, to: PhotoPoint])[],
): Promise<void> {
  const ways = await Promise.all(
    paths.map(async ([from, to]) => ({
      from: await toWindow(page, ...from),
      to: await toWindow(page, ...to),
    })),
  );
  const at = (part: number) =>
    ways.map(({ from, to }, id) => ({
      id,
      x: from.x + (to.x - from.x) * part,
      y: from.y + (to.y - from.y) * part,
    }));
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  // Fingers come down one after the other, as they do.
  for (let count = 1; count <= ways.length; count++) await send('touchStart', at(0).slice(0, count));
  for (let step = 1; step <= STEPS; step++) await send('touchMove', at(step / STEPS));
  // Fingers that rest before they leave give the page no momentum.
  await page.waitForTimeout(150);
  await send('touchMove', at(1));
  await send('touchEnd', []);
}

/** Moves one finger from one point of the photo to another. */
export const swipe = (page: Page, session: CDPSession, from: PhotoPoint, to: PhotoPoint) =>
  moveFingers(page, session, [[from, to]]);
