/**
 * The Paeth mode (section 7.11.2.2): picks whichever of the samples above, left and at the corner is closest
 * to above + left − corner.
 */
import { ABOVE, corner, LEFT, takeAbove, takeLeft } from './edges';
import { storeSamples } from './fill';
import { IntraBlock } from './intra_block';

export function predictPaeth(block: IntraBlock): void {
  const height = 1 << block.log2H;
  takeAbove(block, 1 << block.log2W);
  takeLeft(block, height);
  const topLeft = i16x8.splat(<i16>corner(block));
  const isNarrow = block.log2W === 2;
  const rowBytes = (<usize>2) << block.log2W;
  for (let column: usize = 0; column < rowBytes; column += 16) {
    const above = v128.load(ABOVE + column);
    // The estimate less the left sample, which is the same for all rows; and that less the corner.
    const rise = i16x8.sub(above, topLeft);
    const fromLeft = i16x8.abs(rise);
    const farRise = i16x8.sub(rise, topLeft);
    let dst = block.dst + column;
    for (let row = LEFT; row < LEFT + ((<usize>height) << 1); row += 2, dst += block.stride) {
      const left = v128.load16_splat(row);
      const fromAbove = i16x8.abs(i16x8.sub(left, topLeft));
      const fromCorner = i16x8.abs(i16x8.add(farRise, left));
      const isLeft = v128.and(i16x8.le_s(fromLeft, fromAbove), i16x8.le_s(fromLeft, fromCorner));
      const other = v128.bitselect(above, topLeft, i16x8.le_s(fromAbove, fromCorner));
      storeSamples(dst, v128.bitselect(left, other, isLeft), isNarrow);
    }
  }
}
