/** Loop restoration (AV1 specification, section 7.17) of a stripe, in place, unit by unit. */

import { Frame, Plane, planeAt, quadAt, Restoration, UNIT_BYTES } from '../frame';
import { copyPart, leavePart, PART_COLUMNS, StripeRows } from './restore_copy';
import { selfGuidedFilter } from './self_guided';
import { FilterPlane, FilterState, filterPlaneAt, LAG_ROWS } from './state';
import { wienerFilter } from './wiener';

const stripe = changetype<StripeRows>(memory.data(offsetof<StripeRows>(), 8));

/**
 * Restores a stripe of a plane, in the columns that are wanted.
 * @param from, end rows of the plane that belong to the stripe
 * @param below the deblocked row below the stripe, if there is one
 */
export function restoreStripe(
  frame: Frame,
  state: FilterState,
  index: i32,
  from: i32,
  end: i32,
  below: usize,
): void {
  const plane = planeAt(frame, index);
  const own = filterPlaneAt(state, index);
  const size = quadAt(frame.restorationSize, index);
  const unitColumns = quadAt(frame.unitColumns, index);
  // Stripes lie LAG_ROWS above the units.
  const unitRow = min(quadAt(frame.unitRows, index) - 1, (from + (LAG_ROWS >> plane.subY)) / size);
  const units = <usize>quadAt(frame.restorationUnits, index) + <usize>(unitRow * unitColumns) * UNIT_BYTES;
  setStripe(state, plane, own, from, end, below);
  const wantedFrom = frame.wantedFrom >> plane.subX;
  const wantedEnd = (frame.wantedEnd + plane.subX) >> plane.subX;
  let wasCopied = false;
  for (let column = 0; column < unitColumns; column++) {
    const unit = units + <usize>column * UNIT_BYTES;
    const unitEnd = column === unitColumns - 1 ? own.outputWidth : (column + 1) * size;
    const type = load<u8>(unit);
    if (type === Restoration.None) {
      wasCopied = false;
      continue;
    }
    for (let x = column * size; x < unitEnd; x += PART_COLUMNS) {
      const columns = min(PART_COLUMNS, unitEnd - x);
      if (x + columns <= wantedFrom || x >= wantedEnd) {
        wasCopied = false;
        continue;
      }
      copyPart(stripe, x, columns, wasCopied);
      const to = stripe.rows + ((<usize>x) << 1);
      if (type === Restoration.Wiener) {
        wienerFilter(to, stripe.stride, columns, stripe.count, unit + 1, frame.bitDepth);
      } else selfGuidedFilter(to, stripe.stride, columns, stripe.count, unit + 1, frame.bitDepth);
      leavePart(columns);
      wasCopied = true;
    }
  }
}

function setStripe(
  state: FilterState,
  plane: Plane,
  own: FilterPlane,
  from: i32,
  end: i32,
  below: usize,
): void {
  stripe.rows = own.output + own.outputStride * <usize>(from - (state.top >> plane.subY));
  stripe.stride = own.outputStride;
  stripe.count = end - from;
  stripe.width = own.outputWidth;
  stripe.above = from > 0 ? own.stripeAbove : 0;
  stripe.below = below;
  stripe.belowCount = min(2, plane.height - end);
}
