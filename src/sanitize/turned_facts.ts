import type { FileFacts } from '../metadata/facts.ts';
import { uprightSize } from '../pixels/orient.ts';
import { turnedOrientation, turnedRect } from '../pixels/quarter_turn.ts';
import type { QuarterTurn } from '../vocabulary/vocabulary.ts';

/**
 * The facts of a file as if the file itself asked to be shown turned by this many further degrees clockwise.
 * So every step, decoder and memory prediction handles the turn like a stored orientation.
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
