import type { Controller } from './controller.ts';
import { showFindings } from './findings/findings.ts';
import { showComparison } from './result/comparison.ts';
import { showGrowth } from './result/growth.ts';
import { showMaybeMissed } from './result/maybe_missed.ts';
import { shareResult } from './result/share_result.ts';
import type { Store } from './state.ts';

/** The parts of the page that do nothing before there is a photo. */
export function showWithPhoto(store: Store, controller: Controller): void {
  showFindings(store);
  showComparison(store);
  showGrowth(store, controller);
  showMaybeMissed(store, () => controller.sanitize());
  shareResult(store);
}
