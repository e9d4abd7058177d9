import { componentsOf } from './components.ts';
import { type MapKind, mapKinds, readingModel } from './model.ts';
import { boxAround, type TurnedBox } from './turned_box.ts';

/** The output of the network for a picture: probabilities of each kind for each pixel of a smaller map. */
export interface ReadingMaps {
  readonly width: number;
  readonly height: number;
  /** Row by row; the probabilities of a pixel are adjacent, in the order of `mapKinds`. */
  readonly values: Float32Array;
}

/** Nanoseconds per pixel of a map, and per run of a component that becomes a box. */
const PIXEL_TIME = 40;
const RUN_TIME = 4000;

/** A text or plate, in pixels of the view that showed it. */
export interface SeenBox {
  readonly kind: MapKind;
  readonly confidence: number;
  readonly box: TurnedBox;
}

/**
 * The boxes of a map: for each component at or above the threshold, the smallest rectangle around it, grown
 * because the network marks things smaller than they are. In pixels of the network's input, which they may
 * extend beyond. Yields nanoseconds of work: a map may contain thousands.
 * @param least confidence for each kind that is wanted
 */
export function* readMaps(
  { width, height, values }: ReadingMaps,
  least: ReadonlyMap<MapKind, number>,
): Generator<number, SeenBox[]> {
  const { threshold, leastPixels, leastSide } = readingModel;
  const seen: SeenBox[] = [];
  for (const [channel, kind] of mapKinds.entries()) {
    const confidence = least.get(kind);
    if (confidence === undefined) continue;
    const components = componentsOf(values, width, height, threshold[kind], channel, mapKinds.length);
    yield width * height * PIXEL_TIME;
    for (const component of components) {
      if (component.pixels < leastPixels || component.mean < confidence) continue;
      const box = grown(boxAround(component));
      if (2 * box.short >= leastSide) seen.push({ kind, confidence: component.mean, box });
      yield component.runs.length * RUN_TIME;
    }
  }
  return seen;
}

/** The size of the thing that the network marked smaller. @param box in pixels of the map */
function grown({ centre, along, long, short }: TurnedBox): TurnedBox {
  const { stride, grow, margin } = readingModel;
  const by = grow * 2 * short * stride + margin;
  return {
    centre: { x: centre.x * stride, y: centre.y * stride },
    along,
    long: long * stride + by,
    short: short * stride + by,
  };
}

/** The box in a picture scaled by this factor. */
export const scaledBox = ({ centre, along, long, short }: TurnedBox, by: number): TurnedBox => ({
  centre: { x: centre.x * by, y: centre.y * by },
  along,
  long: long * by,
  short: short * by,
});

/** The box in coordinates whose origin lies further left and up by x and y. */
export const movedBox = (box: TurnedBox, x: number, y: number): TurnedBox => ({
  ...box,
  centre: { x: box.centre.x + x, y: box.centre.y + y },
});
