/** Prediction of a block from the samples above it and to its left (section 7.11.2). */
import { predictDc } from './dc';
import { predictDirectional } from './directional';
import { predictRecursive } from './filter_intra';
import { IntraBlock, Mode } from './intra_block';
import { predictPaeth } from './paeth';
import { predictSmooth } from './smooth';

/** Writes the prediction of `block` to its samples. */
export function predictIntra(block: IntraBlock): void {
  const mode = block.mode;
  if (block.filterMode >= 0) predictRecursive(block);
  else if (mode === Mode.Dc) predictDc(block);
  else if (mode === Mode.Paeth) predictPaeth(block);
  else if (mode >= Mode.Smooth) predictSmooth(block);
  else predictDirectional(block);
}
