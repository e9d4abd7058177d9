/** The region at the top of the memory that holds the output, and tokens that wait behind it. */
import { alloc } from '../../memory';
import { Encoder, Status } from './state';

/** Memory grows by so much at a time. */
const STEP: usize = 65536;

/** Makes the region reach `end`. @returns false when the memory cannot grow, or something else was put above it */
export function reserveTo(encoder: Encoder, end: usize): bool {
  if (end <= encoder.regionEnd) return true;
  const bytes = (end - encoder.regionEnd + STEP - 1) / STEP * STEP;
  const at = alloc(bytes);
  if (at != encoder.regionEnd) {
    encoder.status = Status.NoMemory;
    return false;
  }
  encoder.regionEnd = at + bytes;
  return true;
}

/** Moves the tokens from `from` on further back, when the output has come too close. @returns by how much, 0 when impossible */
export function pushTokensBack(encoder: Encoder, from: usize): usize {
  if (!reserveTo(encoder, encoder.tokensEnd + STEP)) return 0;
  memory.copy(from + STEP, from, encoder.tokensEnd - from);
  encoder.tokensEnd += STEP;
  return STEP;
}
