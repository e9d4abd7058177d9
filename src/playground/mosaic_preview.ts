import { byId } from './dom.ts';
import { bottom, right } from './geometry.ts';
import { planRequest } from './ops.ts';
import { type Drawable, previewOf } from './pictures/preview.ts';
import type { Store } from './state.ts';

/** Largest width of the preview in pixels. */
const MAX_WIDTH = 1600;
/** Pixels along a block that its mean is taken of at least, where the picture has them. */
const SAMPLES = 4;

/**
 * Draws over the photo what the service will make of the hidden areas: the same grid and blocks as
 * src/sanitize/mosaic_plan.ts. The canvas averages the pixels, so colours may differ a little.
 */
export function showMosaicPreview(store: Store): void {
  const canvas = byId<HTMLCanvasElement>('mosaic');
  const preview = previewOf(store);
  const context = canvas.getContext('2d');
  /** The photo with one pixel a block, by block edge, crop and output size. */
  const grids = new Map<string, HTMLCanvasElement>();
  /** The URL of the photo that the grids were made from. */
  let gridsUrl = '';

  const draw = () => {
    const { photo, settings, detectedFaces, view } = store.state;
    if (!context || view !== 'edit') return;
    const size = photo?.size;
    const picture = preview.copy;
    if (!size || !photo.displayUrl || !picture) {
      context.clearRect(0, 0, canvas.width, canvas.height);
      return;
    }
    const { pixelation, target } = planRequest(settings, detectedFaces ?? [], size);
    const width = Math.min(MAX_WIDTH, size.width);
    const height = Math.max(1, Math.round((width * size.height) / size.width));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.clearRect(0, 0, width, height);
    if (gridsUrl !== photo.displayUrl) grids.clear();
    gridsUrl = photo.displayUrl;

    const { crop, output } = target;
    const scale = (width / size.width) * (crop.w / output.width);
    const left = (crop.x * width) / size.width;
    const top = (crop.y * width) / size.width;
    context.save();
    context.beginPath();
    context.rect(left, top, output.width * scale, output.height * scale);
    context.clip();
    context.imageSmoothingEnabled = false;
    // Where areas overlap the coarser one wins, so it is drawn last.
    for (const area of pixelation.areas.toSorted((a, b) => a.blockEdge - b.blockEdge)) {
      const grid = gridOf(area.blockEdge);
      const column = Math.floor(area.x / area.blockEdge);
      const row = Math.floor(area.y / area.blockEdge);
      const columns = Math.ceil(right(area) / area.blockEdge) - column;
      const rows = Math.ceil(bottom(area) / area.blockEdge) - row;
      const edge = area.blockEdge * scale;
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

    function gridOf(blockEdge: number): HTMLCanvasElement {
      const key = JSON.stringify([blockEdge, crop, output]);
      const known = grids.get(key);
      if (known) return known;
      // Dragging the crop makes a new grid for every move.
      if (grids.size > 20) grids.clear();
      const grid = document.createElement('canvas');
      grid.width = Math.ceil(output.width / blockEdge);
      grid.height = Math.ceil(output.height / blockEdge);
      const gridContext = grid.getContext('2d');
      const { small } = picture!;
      const blockPixels = (copy: Drawable) =>
        (blockEdge * crop.w * copy.width) / (output.width * size!.width);
      const source = small && blockPixels(small) >= SAMPLES ? small : picture!;
      const scaleX = source.width / size!.width;
      const scaleY = source.height / size!.height;
      if (gridContext) {
        gridContext.imageSmoothingQuality = 'high';
        const to = [output.width / blockEdge, output.height / blockEdge] as const;
        gridContext.drawImage(
          source.image,
          crop.x * scaleX,
          crop.y * scaleY,
          crop.w * scaleX,
          crop.h * scaleY,
          0,
          0,
          ...to,
        );
      }
      grids.set(key, grid);
      return grid;
    }
  };
  preview.subscribe(draw);
  store.subscribe(draw);
}
