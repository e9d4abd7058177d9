import { setText } from '../dom.ts';
import type { Found } from '../settings/things.ts';
import { t } from '../texts.ts';

export const percent = ({ confidence }: Found) => Math.round(confidence * 100);

interface CropTexts {
  /** The button's name for screen readers; contains the visible one. */
  readonly label: string;
  readonly name: string;
  readonly isHidden: boolean;
}

/** Names a list's buttons, and marks those that are pressed. */
export function describe<F extends Found>(
  list: HTMLElement,
  found: readonly F[],
  textsOf: (one: F, number: number) => CropTexts,
): void {
  found.forEach((one, at) => {
    const button = list.children[at]!.firstElementChild as HTMLElement;
    const { label, name, isHidden } = textsOf(one, at + 1);
    if (button.getAttribute('aria-label') !== label) button.setAttribute('aria-label', label);
    setText(button.children[1]!, name);
    // The style sheet displays it; aria-pressed tells screen readers the same.
    button.dataset.state = t(isHidden ? 'face.hidden' : 'face.shown');
    button.setAttribute('aria-pressed', String(isHidden));
  });
}
