/** Prediction of a block from the samples above it and to its left (section 7.11.2). */
import { IntraBlock } from './intra_block';

/** Writes the prediction of `block` to its samples. */
export function predictIntra(block: IntraBlock): void {}
