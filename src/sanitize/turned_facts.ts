import type { FileFacts } from '../metadata/facts.ts';
import { uprightSize } from '../pixels/orient.ts';
import { turnedOrientation, turnedRect } from '../pixels/quarter_turn.ts';
import type { QuarterTurn } from '../vocabulary.ts';

/**
 * A file as if it said by itself that it is to be shown so many degrees further clockwise: then every step,
 * decoder and prediction of memory treats it as one that does.
 */
export function turnedFacts(facts: FileFacts, turn: QuarterTurn | undefined): FileFacts {
  if (turn === undefined) return facts;
  const { width, height, orientation, cleanAperture } = facts;
  return {
    ...facts,
    orientation: turnedOrientation(orientation, turn),
    ...(cleanAperture && {
      cleanAperture: turnedRect(cleanAperture, uprightSize(width, height, orientation), turn),
    }),
  };
}
