import type { LightCurve } from '../../core/kernels/colour.ts';
import { type IccProfile, ProfileDefect, signature } from './icc.ts';

/** Most points of a sampled curve: LittleCMS' own limit. */
const MAX_POINTS = 0x7fff;
/** Parameters of each function type of ICC.1:2022 section 10.18. */
const PARAMETERS = [1, 3, 4, 5, 7];
/** Larger than any display's gamma. */
const MAX_GAMMA = 100;

/**
 * The curve of a tag, `curv` or `para` (ICC.1:2022 sections 10.6 and 10.18): code 0 to 1 to light, which may
 * lie a little outside of 0 to 1. Tags that share their data share the function.
 * @throws ProfileDefect when it is missing or makes no sense
 */
export function readCurve(profile: IccProfile, name: string, known: Map<number, LightCurve>): LightCurve {
  const tag = profile.tags.get(name);
  if (!tag) throw new ProfileDefect(`has no ${name} tag`);
  const shared = known.get(tag.start);
  if (shared) return shared;
  const { view } = profile;
  const type = signature(view, tag.start);
  const length = tag.end - tag.start;
  const fail = () => new ProfileDefect(`has a broken ${name} tag`);
  if (length < 12) throw fail();
  let curve: LightCurve;
  if (type === 'curv') {
    const count = view.getUint32(tag.start + 8);
    if (count > MAX_POINTS || 12 + count * 2 > length) throw fail();
    const values = Array.from({ length: count }, (_, i) => view.getUint16(tag.start + 12 + i * 2));
    curve =
      count > 1 ? sampled(Float64Array.from(values, (value) => value / 65_535)) : simple(values[0], fail);
  } else if (type === 'para') {
    const kind = view.getUint16(tag.start + 8);
    const count = PARAMETERS[kind];
    if (count === undefined || 12 + count * 4 > length) throw fail();
    curve = parametric(
      kind,
      Array.from({ length: count }, (_, i) => view.getInt32(tag.start + 12 + i * 4) / 65_536),
      fail,
    );
  } else {
    throw fail();
  }
  known.set(tag.start, curve);
  return curve;
}

/** A curve of no point is straight; one point is a gamma of 8 bits and 8 bits of fraction. */
function simple(gamma: number | undefined, fail: () => Error): LightCurve {
  if (gamma === undefined) return (code) => code;
  if (gamma === 0) throw fail();
  return (code) => code ** (gamma / 256);
}

/** Straight lines between points at equal distances. */
function sampled(points: Float64Array): LightCurve {
  const last = points.length - 1;
  return (code) => {
    const place = Math.min(1, Math.max(0, code)) * last;
    const left = Math.min(last - 1, Math.floor(place));
    return points[left]! + (points[left + 1]! - points[left]!) * (place - left);
  };
}

/** ICC.1:2022 section 10.18; powers of negative numbers are 0. */
function parametric(kind: number, parameters: readonly number[], fail: () => Error): LightCurve {
  const [g, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = parameters as [number, ...number[]];
  if (!(g > 0 && g <= MAX_GAMMA)) throw fail();
  const power = (base: number) => (base > 0 ? base ** g : 0);
  if (kind > 0 && kind < 3 && a === 0) throw fail();
  switch (kind) {
    case 0:
      return power;
    case 1:
      return (code) => (code >= -b / a ? power(a * code + b) : 0);
    case 2:
      return (code) => (code >= -b / a ? power(a * code + b) + c : c);
    case 3:
      return (code) => (code >= d ? power(a * code + b) : c * code);
    default:
      return (code) => (code >= d ? power(a * code + b) + e : c * code + f);
  }
}
