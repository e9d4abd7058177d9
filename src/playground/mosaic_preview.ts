import { byId } from './dom.ts';
import { bottom, right } from './geometry.ts';
import type { Hidden } from './hiding.ts';
import { orderFor } from './ops.ts';
import type { Store } from './state.ts';

/** Most pixels across that the preview is drawn with. */
const MOST_ACROSS = 1600;

/**
 * Shows over the photo what the service will make of the hidden areas: the same grid, the same blocks, the
 * means by canvas.
 */
export function showMosaic(store: Store): void {
  const canvas = byId<HTMLCanvasElement>('mosaic');
  const picture = byId<HTMLImageElement>('picture');
  const context = canvas.getContext('2d');
  /** One pixel a block; kept while the grid stays the same. */
  const grids = new Map<string, HTMLCanvasElement>();
  let gridsOf = '';

  const draw = () => {
    const { photo, settings, found, view } = store.state;
    if (!context || view !== 'edit') return;
    const size = photo?.frame;
    if (!size || !photo.shown || !picture.complete || picture.naturalWidth === 0) {
      context.clearRect(0, 0, canvas.width, canvas.height);
      return;
    }
    const { plan, target } = orderFor(settings, found ?? [], size);
    const width = Math.min(MOST_ACROSS, size.width);
    const height = Math.max(1, Math.round((width * size.height) / size.width));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.clearRect(0, 0, width, height);
    if (gridsOf !== photo.shown) grids.clear();
    gridsOf = photo.shown;

    const { crop, output } = target;
    const scale = (width / size.width) * (crop.w / output.width);
    const left = (crop.x * width) / size.width;
    const top = (crop.y * width) / size.width;
    context.save();
    context.beginPath();
    context.rect(left, top, output.width * scale, output.height * scale);
    context.clip();
    context.imageSmoothingEnabled = false;
    // The coarser one wins, so it comes last.
    for (const area of plan.areas.toSorted((a, b) => a.block - b.block)) {
      const grid = gridOf(area.block);
      const column = Math.floor(area.x / area.block);
      const row = Math.floor(area.y / area.block);
      const columns = Math.ceil(right(area) / area.block) - column;
      const rows = Math.ceil(bottom(area) / area.block) - row;
      const edge = area.block * scale;
      context.drawImage(
        grid,
        column,
        row,
        columns,
        rows,
        left + column * edge,
        top + row * edge,
        columns * edge,
        rows * edge,
      );
    }
    context.restore();

    function gridOf(block: Hidden['block']): HTMLCanvasElement {
      const name = JSON.stringify([block, crop, output]);
      const known = grids.get(name);
      if (known) return known;
      // A dragged crop makes many.
      if (grids.size > 20) grids.clear();
      const grid = document.createElement('canvas');
      grid.width = Math.ceil(output.width / block);
      grid.height = Math.ceil(output.height / block);
      const ink = grid.getContext('2d');
      const across = picture.naturalWidth / size!.width;
      const along = picture.naturalHeight / size!.height;
      if (ink) {
        ink.imageSmoothingQuality = 'high';
        const to = [output.width / block, output.height / block] as const;
        ink.drawImage(picture, crop.x * across, crop.y * along, crop.w * across, crop.h * along, 0, 0, ...to);
      }
      grids.set(name, grid);
      return grid;
    }
  };
  picture.addEventListener('load', draw);
  store.view(draw);
}
