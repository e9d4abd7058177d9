import { blockAt, blocksAlong } from '../../pixels/block_edges.ts';
import { CoveredBlocks, wholeBlocks } from '../../pixels/covered_blocks.ts';
import type { Mosaic } from '../../pixels/mosaic.ts';
import { type Coverage, RowSpans } from '../../pixels/row_spans.ts';
import { type HiddenArea, hiddenOf } from '../../sanitize/hidden_areas.ts';
import type { Box, Size } from '../geometry.ts';

/** Whole blocks in output pixels, and the edge of a block in pixels. */
export interface PixelatedArea extends Box {
  readonly blockEdge: number;
}

/** A preview never shows its colour. */
const UNUSED_COLOUR = { red: 0, green: 0, blue: 0 };

/** What is drawn of hidden areas, in output pixels: blocks, and boxes covered by one colour. */
export function previewAreas(
  list: readonly HiddenArea[],
  output: Size,
): { readonly blocks: readonly PixelatedArea[]; readonly filled: readonly Box[] } {
  const { mosaics, filled } = hiddenOf(list, { except: [] }, UNUSED_COLOUR, output);
  return {
    blocks: mosaics.flatMap((mosaic) => pixelatedAreas(mosaic, output)),
    filled: boxesOf(filled, output),
  };
}

/** The blocks that a mosaic covers: of a rectangle at once, of an ellipse row by row. */
function pixelatedAreas({ block, areas }: Mosaic, output: Size): PixelatedArea[] {
  return areas.flatMap((area) => {
    const { x, y, width, height } = wholeBlocks(area, block, output);
    if (!area.ellipse) return [{ x, y, w: width, h: height, blockEdge: block }];
    const covered = new CoveredBlocks({ block, areas: [area] }, output);
    const startOf = (index: number, edge: number) =>
      index === blocksAlong(edge, block) ? edge : index * block;
    const [first, last] = [y, y + height - 1].map((row) => blockAt(row, block, output.height)) as [
      number,
      number,
    ];
    const rows = Array.from({ length: last - first + 1 }, (_, row) => first + row);
    return rows.flatMap((row) => {
      const top = startOf(row, output.height);
      const h = startOf(row + 1, output.height) - top;
      return covered.at(row).map(({ start, end }) => {
        const left = startOf(start, output.width);
        return { x: left, y: top, w: startOf(end, output.width) - left, h, blockEdge: block };
      });
    });
  });
}

/** A coverage as boxes that do not overlap. */
function boxesOf(coverage: Coverage, { height }: Size): Box[] {
  const spans = new RowSpans(coverage);
  const boxes: Box[] = [];
  for (let y = 0; y < height; ) {
    const end = Math.min(height, spans.endOf(y));
    for (const { start, end: after } of spans.at(y))
      boxes.push({ x: start, y, w: after - start, h: end - y });
    y = end;
  }
  return boxes;
}
