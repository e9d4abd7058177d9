import type { Size } from '../codecs/types.ts';
import type { View } from './detector.ts';
import type { InputRule } from './manifest.ts';

/** The place of a view in a network's input. */
export interface Placement extends Size {
  /** Input pixels per pixel of the view, horizontally (`across`) and vertically (`down`). */
  readonly across: number;
  readonly down: number;
  /** The view's top left corner, in input pixels. */
  readonly left: number;
  readonly top: number;
}

const roundUp = (value: number, multiple: number) => Math.ceil(value / multiple) * multiple;

/** The input size for a view, and the view's place in it: shrunk if necessary, never enlarged. */
export function placeView({ width, height }: Size, rule: InputRule): Placement {
  const input =
    rule.width === undefined || rule.height === undefined
      ? { width: roundUp(width, rule.multiple), height: roundUp(height, rule.multiple) }
      : { width: rule.width, height: rule.height };
  if (rule.letterbox === 'stretch') {
    return { ...input, across: input.width / width, down: input.height / height, left: 0, top: 0 };
  }
  const scale = Math.min(1, input.width / width, input.height / height);
  const isCentred = rule.letterbox === 'centre';
  return {
    ...input,
    across: scale,
    down: scale,
    left: isCentred ? Math.floor((input.width - width * scale) / 2) : 0,
    top: isCentred ? Math.floor((input.height - height * scale) / 2) : 0,
  };
}

const channels = (value: InputRule['mean']): readonly number[] =>
  typeof value === 'number' ? [value, value, value] : value;

/**
 * Fills a network's input with a view: bilinear where it is scaled, padding elsewhere.
 * @param input of 3 × width × height numbers, all of which are written
 */
export function fillInput(
  input: Float32Array | Uint8Array,
  view: View,
  placement: Placement,
  rule: InputRule,
): void {
  const { width, height, across, down, left, top } = placement;
  const plane = width * height;
  const mean = channels(rule.mean);
  const scale = channels(rule.scale);
  const [step, next] = rule.layout === 'nchw' ? [1, plane] : [3, 1];
  const shownWidth = Math.min(width - left, Math.max(1, Math.round(view.width * across)));
  const shownHeight = Math.min(height - top, Math.max(1, Math.round(view.height * down)));
  const isSame = across === 1 && down === 1;
  for (let channel = 0; channel < 3; channel++) {
    const from = rule.colour === 'rgb' ? channel : 2 - channel;
    const less = mean[channel]!;
    const times = scale[channel]!;
    const base = channel * next;
    const beside = (rule.padding - less) * times;
    for (let at = 0; at < plane; at++) input[base + at * step] = beside;
    for (let y = 0; y < shownHeight; y++) {
      let to = base + ((top + y) * width + left) * step;
      if (isSame) {
        let pixel = y * view.width * 4 + from;
        for (let x = 0; x < shownWidth; x++, pixel += 4, to += step) {
          input[to] = (view.data[pixel]! - less) * times;
        }
        continue;
      }
      for (let x = 0; x < shownWidth; x++, to += step) {
        const value = bilinear(view, from, (x + 0.5) / across - 0.5, (y + 0.5) / down - 0.5);
        input[to] = (value - less) * times;
      }
    }
  }
}

/**
 * The bilinear value of a channel at a point between pixels; outside of the view, that of its edge pixels.
 */
function bilinear({ width, height, data }: View, channel: number, x: number, y: number): number {
  const left = Math.max(0, Math.min(width - 1, Math.floor(x)));
  const top = Math.max(0, Math.min(height - 1, Math.floor(y)));
  const right = Math.min(width - 1, left + 1);
  const below = Math.min(height - 1, top + 1);
  const across = Math.max(0, Math.min(1, x - left));
  const down = Math.max(0, Math.min(1, y - top));
  const at = (column: number, row: number) => data[(row * width + column) * 4 + channel]!;
  const upper = at(left, top) + (at(right, top) - at(left, top)) * across;
  const lower = at(left, below) + (at(right, below) - at(left, below)) * across;
  return upper + (lower - upper) * down;
}
