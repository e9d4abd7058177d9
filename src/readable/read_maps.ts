import { componentsOf } from './components.ts';
import { type MapKind, mapKinds, readingModel } from './model.ts';
import { boxAround, type TurnedBox } from './turned_box.ts';

/** What the network says of a picture: for each pixel of a smaller map the probabilities of each kind. */
export interface ReadingMaps {
  readonly width: number;
  readonly height: number;
  /** Row by row, one pixel's probabilities beside each other in the order of `mapKinds`. */
  readonly values: Float32Array;
}

/** What a pixel of a map takes, and a run of a component that gets a box: in nanoseconds. */
const PIXEL_TIME = 40;
const RUN_TIME = 4000;

/** One thing to read, in pixels of whatever was looked at. */
export interface SeenBox {
  readonly kind: MapKind;
  readonly confidence: number;
  readonly box: TurnedBox;
}

/**
 * The boxes of a map: of each component from the threshold up the smallest rectangle around it, grown, for
 * the network paints things smaller than they are. In pixels of the network's input, beyond which they may
 * reach. Yields nanoseconds of work: a map may hold thousands.
 * @param least confidence of each kind that is asked for
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

/** As large as what the network has painted smaller. @param box in pixels of the map */
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

/** In a picture so many times as large. */
export const scaledBox = ({ centre, along, long, short }: TurnedBox, by: number): TurnedBox => ({
  centre: { x: centre.x * by, y: centre.y * by },
  along,
  long: long * by,
  short: short * by,
});

/** Where the origin lies so much further left and up. */
export const movedBox = (box: TurnedBox, x: number, y: number): TurnedBox => ({
  ...box,
  centre: { x: box.centre.x + x, y: box.centre.y + y },
});
