/** Takes rows of the main image back through the transforms, the last transform first. */
import { addGreenRow, addGreenToRgba, ELEMENT_BYTES, toRgba, untransformRow } from './colour';
import { indexRow } from './index_colours';
import { predictRow } from './predict';
import { Lossless, Transform, TransformKind, transformAt } from './state';

/**
 * Undoes all transforms except the first `kept` for row `y`, whose coded pixels are at `row`.
 * @returns where the row is then: `row` itself, or one of the decoder's rows
 */
export function untransform(lossless: Lossless, row: usize, y: i32, kept: i32): usize {
  for (let i = lossless.transformCount - 1; i >= kept; i--) {
    const transform = transformAt(lossless, i);
    if (transform.kind === TransformKind.Predictor) {
      const above = lossless.predictedAbove;
      const out = lossless.predicted;
      const modes = transform.plane + <usize>transform.blocksWide * (y >> transform.bits);
      predictRow(modes, transform.bits, transform.width, y, row, above, out);
      lossless.predictedAbove = out;
      lossless.predicted = above;
      row = out;
      continue;
    }
    const to = row === lossless.one ? lossless.other : lossless.one;
    if (transform.kind === TransformKind.Colour) {
      untransformRow(elementsAt(transform, y), transform.bits, transform.width, row, to);
    } else if (transform.kind === TransformKind.SubtractGreen) {
      addGreenRow(transform.width, row, to);
    } else {
      indexRow(lossless.colourTable, transform.bits, transform.width, row, to);
    }
    row = to;
  }
  return row;
}

function elementsAt(transform: Transform, y: i32): usize {
  return transform.plane + <usize>transform.blocksWide * (y >> transform.bits) * ELEMENT_BYTES;
}

/** Like `untransform` with all transforms, but writes RGBA to `to`. */
export function untransformToRgba(lossless: Lossless, row: usize, y: i32, to: usize): void {
  const width = lossless.width;
  const first = lossless.transformCount > 0 ? transformAt(lossless, 0).kind : -1;
  if (first === TransformKind.SubtractGreen) {
    addGreenToRgba(width, untransform(lossless, row, y, 1), to);
  } else if (first === TransformKind.ColourIndexing) {
    const packing = transformAt(lossless, 0).bits;
    indexRow(lossless.colourTable, packing, width, untransform(lossless, row, y, 1), to);
  } else {
    toRgba(width, untransform(lossless, row, y, 0), to);
  }
}
