import { type Box, fromOutput, intersection, padded } from '../geometry.ts';
import { defaultSettings } from '../settings/ops.ts';
import { confidentFaces } from '../settings/pixelation_plan.ts';
import { sparedArea } from '../settings/spared_areas.ts';
import type { Result, State } from '../state.ts';

/**
 * What the second detection hid in addition to the known faces, as tight boxes in the frame: each can be
 * taken back. Boxes over a known face can't, since they would uncover the face; nor can any while faces were
 * not looked for.
 */
export function secondLookSpots(
  { report, request }: Pick<Result, 'report' | 'request'>,
  { detectedFaces, settings }: Pick<State, 'detectedFaces' | 'settings'>,
): Box[] {
  if (!detectedFaces) return [];
  const { pixelate = {} } = request.ops;
  const { padding = defaultSettings.padding, confidence = defaultSettings.confidence } = pixelate;
  const hidden = confidentFaces(detectedFaces, confidence).filter((face) => face.hidden);
  return (report.secondLook ?? [])
    .map((spot) => fromOutput(padded(spot, 1 / padding), request.target))
    .filter((spot) => sparedArea(spot, hidden) !== null && hidden.every((face) => !holdsMiddle(face, spot)))
    .filter((spot) => !settings.spared.some((known) => intersection(known, spot)));
}

const holdsMiddle = (area: Box, spot: Box) => intersection(area, padded(spot, 0.1)) !== null;
