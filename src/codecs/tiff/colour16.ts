import type { Page } from './page.ts';

/**
 * Writes `count` pixels of RGBA with 16 bits a sample to out[at], `stride` samples for each from
 * samples[from]; opaque.
 */
type DeepWriter = (
  samples: Uint16Array,
  from: number,
  stride: number,
  count: number,
  out: Uint16Array,
  at: number,
) => void;

const OPAQUE = 0xffff;

/** Whether a page's samples have more than 8 bits that the colour step could use. */
export function isDeep({ bits, format, profiled, colour }: Page): boolean {
  const direct = colour.kind === 'grey' || colour.kind === 'whiteIsZero' || colour.kind === 'rgb';
  return direct && bits > 8 && (format !== 'float' || profiled);
}

export function deepWriter({ colour: { kind } }: Page): DeepWriter {
  const turn = kind === 'whiteIsZero' ? 0xffff : 0;
  const [green, blue] = kind === 'rgb' ? [1, 2] : [0, 0];
  return (samples, from, stride, count, out, at) => {
    for (let index = 0, in_ = from, to = at; index < count; index++, in_ += stride, to += 4) {
      out[to] = samples[in_]! ^ turn;
      out[to + 1] = samples[in_ + green]! ^ turn;
      out[to + 2] = samples[in_ + blue]! ^ turn;
      out[to + 3] = OPAQUE;
    }
  };
}
