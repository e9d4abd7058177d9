import type { Raster } from '../codecs/types.ts';
import { sharedArea } from '../faces/boxes.ts';
import type { TimeSlice } from '../scheduling/time_slice.ts';
import { coveredShare } from './covered_share.ts';
import type { Finder, Found } from './finder.ts';
import { areasFoundAgain, type HiddenArea, hiddenOf, MOSTLY, type Pixelate } from './hidden_areas.ts';

/**
 * The second look (`pixelate.verify`): every finder searches the picture as it would be written, one after
 * the other, and what one still finds is hidden before the next one looks. What it finds inside a fill is the
 * fill's own edge and left out.
 * @param list what is hidden already; if that is nothing, only a look that is to be listed is taken
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
  const isListed = pixelate.verify === 'list';
  for (const finder of finders) {
    const hidden = [...list, ...again];
    if (!isListed && hidden.every((area) => area.isSpared)) continue;
    const picture = await show(hidden);
    const { found } = await finder.find(picture, slice);
    const whole = { x: 0, y: 0, w: picture.width, h: picture.height };
    const shareOf = coveredShare(hiddenOf(hidden, pixelate, NO_COLOUR, picture).filled, picture);
    const left = found.filter((one: Found) => sharedArea(one, whole) > 0 && shareOf(one) < MOSTLY);
    again.push(...areasFoundAgain(left, hidden, pixelate, picture));
  }
  return again;
}

/** Where fills lie does not depend on their colour. */
const NO_COLOUR = { red: 0, green: 0, blue: 0 };
