import { type Box, bottom, clamp, fullBox, type Handle, resized, right, type Size } from '../geometry.ts';

/** The ratios that a crop can be kept to: any, that of the photo, or width to height. */
export const cropRatios = [
  'free',
  'photo',
  '1:1',
  '5:4',
  '4:5',
  '4:3',
  '3:4',
  '3:2',
  '2:3',
  '16:9',
  '9:16',
] as const;

export type CropRatio = (typeof cropRatios)[number];

/** Width divided by height; null if any ratio is allowed. */
export function ratioOf(name: CropRatio, frame: Size): number | null {
  if (name === 'free') return null;
  if (name === 'photo') return frame.width / frame.height;
  const [width, height] = name.split(':').map(Number) as [number, number];
  return width / height;
}

/** The largest sides with the ratio, in whole pixels, that fit into the given ones; at least 1 by 1. */
function sidesWithin(maxWidth: number, maxHeight: number, ratio: number): readonly [w: number, h: number] {
  const w = Math.min(maxWidth, maxHeight * ratio);
  return [Math.max(1, Math.round(w)), Math.max(1, Math.round(w / ratio))];
}

/** The largest box with the ratio inside the given box, about its centre, in whole pixels of the frame. */
export function fittedToRatio(box: Box, ratio: number, frame: Size): Box {
  const [w, h] = sidesWithin(Math.min(box.w, frame.width), Math.min(box.h, frame.height), ratio);
  return {
    x: Math.round(clamp(box.x + (box.w - w) / 2, 0, frame.width - w)),
    y: Math.round(clamp(box.y + (box.h - h) / 2, 0, frame.height - h)),
    w,
    h,
  };
}

/** The largest crop with the ratio, centred in the frame. */
export const largestCrop = (ratio: number, frame: Size) => fittedToRatio(fullBox(frame), ratio, frame);

/**
 * The box with the ratio that is drawn from one corner to another: as large as the longer side demands, as
 * far as it fits into the frame.
 */
export function drawnToRatio(
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
  ratio: number,
  frame: Size,
): Box {
  const toRight = to.x >= from.x;
  const downwards = to.y >= from.y;
  const wanted = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y) * ratio);
  const [w, h] = sidesWithin(
    Math.min(wanted, toRight ? frame.width - from.x : from.x),
    downwards ? frame.height - from.y : from.y,
    ratio,
  );
  const x = toRight ? from.x : from.x - w;
  const y = downwards ? from.y : from.y - h;
  return {
    x: clamp(Math.round(x), 0, frame.width - w),
    y: clamp(Math.round(y), 0, frame.height - h),
    w,
    h,
  };
}

/** Like `resized`, but keeps the ratio: the edge or corner opposite the handle stays in place. */
export function resizedToRatio(
  box: Box,
  handle: Handle,
  dx: number,
  dy: number,
  ratio: number,
  frame: Size,
): Box {
  const free = resized(box, handle, dx, dy, frame);
  const { horizontal, vertical } = handle;
  const byWidth = vertical === 0 || (horizontal !== 0 && Math.abs(dx) >= Math.abs(dy) * ratio);
  const width = byWidth ? free.w : free.h * ratio;
  // The available room from the fixed edge; from the centre if neither edge is dragged.
  const roomX =
    horizontal > 0
      ? frame.width - box.x
      : horizontal < 0
        ? right(box)
        : 2 * Math.min(box.x + box.w / 2, frame.width - box.x - box.w / 2);
  const roomY =
    vertical > 0
      ? frame.height - box.y
      : vertical < 0
        ? bottom(box)
        : 2 * Math.min(box.y + box.h / 2, frame.height - box.y - box.h / 2);
  const [w, h] = sidesWithin(Math.min(width, roomX), roomY, ratio);
  const x = horizontal > 0 ? box.x : horizontal < 0 ? right(box) - w : box.x + (box.w - w) / 2;
  const y = vertical > 0 ? box.y : vertical < 0 ? bottom(box) - h : box.y + (box.h - h) / 2;
  return {
    x: clamp(Math.round(x), 0, frame.width - w),
    y: clamp(Math.round(y), 0, frame.height - h),
    w,
    h,
  };
}
