import type { Raster } from '../codecs/types.ts';
import { sharedArea } from '../faces/boxes.ts';
import type { TimeSlice } from '../scheduling/time_slice.ts';
import type { Finder, Found } from './finder.ts';
import { areasFoundAgain, type HiddenArea, mostlyIn, type Pixelate } from './hidden_areas.ts';

/**
 * The second look (`pixelate.verify`): every finder searches the picture as it would be written, one after
 * the other, and what one still finds is hidden before the next one looks. What it finds inside a fill is the
 * fill's own edge and left out.
 * @param list what is hidden already; nothing is searched if that is nothing
 * @param show the picture with these areas hidden
 * @returns what is to be hidden as well, in output pixels
 */
export async function secondLook(
  list: readonly HiddenArea[],
  finders: readonly Finder[],
  pixelate: Pixelate,
  show: (list: readonly HiddenArea[]) => Promise<Raster>,
  slice: TimeSlice,
): Promise<HiddenArea[]> {
  const again: HiddenArea[] = [];
  for (const finder of finders) {
    const hidden = [...list, ...again];
    if (hidden.every((area) => area.isSpared)) continue;
    const picture = await show(hidden);
    const { found } = await finder.find(picture, slice);
    const whole = { x: 0, y: 0, w: picture.width, h: picture.height };
    const isFilled = mostlyIn(
      hidden.filter(({ fill }) => fill === 'solid'),
      picture,
    );
    const left = found.filter((one: Found) => sharedArea(one, whole) > 0 && !isFilled(one));
    again.push(...areasFoundAgain(left, hidden, pixelate, picture));
  }
  return again;
}
