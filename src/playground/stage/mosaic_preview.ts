import { blockAt } from '../../pixels/block_edges.ts';
import { byId } from '../dom.ts';
import { type Box, bottom, right } from '../geometry.ts';
import { previewOf } from '../pictures/preview.ts';
import { planOf, type Store } from '../state.ts';
import { blockMeans, type Pixels } from './block_means.ts';
import { type PixelatedArea, previewAreas } from './preview_areas.ts';

/** Largest width of the preview in pixels. */
const MAX_WIDTH = 1600;
/** What is filled is black (`pixelate.colour`). */
const FILL_COLOUR = '#000';

/**
 * Draws over the photo how the service will hide the areas: the same grid and blocks, and their means. The
 * means come from a smaller copy, so colours may differ slightly.
 */
export function showMosaicPreview(store: Store): void {
  const canvas = byId<HTMLCanvasElement>('mosaic');
  const preview = previewOf(store);
  const context = canvas.getContext('2d');
  /** One pixel per block of the area being drawn. */
  const blocks = new OffscreenCanvas(1, 1);
  const blocksContext = blocks.getContext('2d');
  const meansOf = rememberedMeans();

  store.view(
    (state) => [state.photo, planOf(state), state.view, preview.shown?.pixels],
    (photo, plan, view, pixels) => {
      if (!context || !blocksContext || view !== 'edit') return;
      const size = photo?.size;
      if (!size || !plan || !photo?.displayUrl || !pixels) {
        context.clearRect(0, 0, canvas.width, canvas.height);
        return;
      }
      const { crop, output } = plan.target;
      const areas = previewAreas(plan.pixelation.list, output);
      const width = Math.min(MAX_WIDTH, size.width);
      const height = Math.max(1, Math.round((width * size.height) / size.width));
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      context.clearRect(0, 0, width, height);

      const scale = (width / size.width) * (crop.w / output.width);
      const left = (crop.x * width) / size.width;
      const top = (crop.y * width) / size.width;
      /** Scale from the photo's pixels to those of the copy. */
      const [scaleX, scaleY] = [pixels.width / size.width, pixels.height / size.height];
      const [countedX, countedY] = [(scaleX * crop.w) / output.width, (scaleY * crop.h) / output.height];
      const counted = { x: crop.x * scaleX, y: crop.y * scaleY, w: crop.w * scaleX, h: crop.h * scaleY };

      const drawArea = (area: PixelatedArea) => {
        const edge = area.blockEdge;
        const column = blockAt(area.x, edge, output.width);
        const row = blockAt(area.y, edge, output.height);
        const grid = {
          width: Math.ceil(right(area) / edge) - column,
          height: Math.ceil(bottom(area) / edge) - row,
        };
        const first = {
          x: counted.x + column * edge * countedX,
          y: counted.y + row * edge * countedY,
          w: edge * countedX,
          h: edge * countedY,
        };
        const means = meansOf(pixels, first, grid, counted);
        Object.assign(blocks, grid);
        blocksContext.putImageData(new ImageData(means.data, grid.width, grid.height), 0, 0);
        const shown = edge * scale;
        context.drawImage(
          blocks,
          left + column * shown,
          top + row * shown,
          grid.width * shown,
          grid.height * shown,
        );
      };
      context.save();
      context.beginPath();
      context.rect(left, top, output.width * scale, output.height * scale);
      context.clip();
      context.imageSmoothingEnabled = false;
      // Where areas overlap the coarser one wins, so it is drawn last.
      for (const area of areas.blocks.toSorted((a, b) => a.blockEdge - b.blockEdge)) drawArea(area);
      const onCanvas = ({ x, y, w, h }: Box) =>
        [left + x * scale, top + y * scale, w * scale, h * scale] as const;
      context.fillStyle = FILL_COLOUR;
      // All at once: if the rows of an ellipse were painted one by one, the photo would show through between
      // them.
      context.beginPath();
      for (const box of areas.filled) context.rect(...onCanvas(box));
      context.fill();
      context.restore();
    },
  );
}

/** Most areas whose means are cached: more than anybody draws. */
const MOST_AREAS = 500;

/**
 * Computes an area's means again only if the area or the picture changed: while one is moved, others stay.
 */
function rememberedMeans(): typeof blockMeans {
  const known = new Map<string, Pixels>();
  let counted: Pixels | null = null;
  return (pixels, ...where) => {
    if (counted !== pixels || known.size > MOST_AREAS) known.clear();
    counted = pixels;
    const key = where.flatMap((part): number[] => Object.values(part)).join();
    const means = known.get(key) ?? blockMeans(pixels, ...where);
    known.set(key, means);
    return means;
  };
}
