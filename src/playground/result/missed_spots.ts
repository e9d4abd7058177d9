import { fromOutput, intersection, padded, toOutput } from '../geometry.ts';
import { type Face, pixelationDefaults } from '../settings/pixelation_plan.ts';
import { isFace, isSame, joined } from '../settings/things.ts';
import { uncertainSpots } from '../stage/uncertain_spots.ts';
import { newRegion, type Result, type State } from '../state.ts';

type Known = Pick<State, 'detectedFaces' | 'settings'>;

/** A region that has this share of a spot, about its centre, was drawn over it. */
const MIDDLE = 0.1;

const knownAt = ({ detectedFaces }: Pick<Known, 'detectedFaces'>, spot: Face): number =>
  isFace(spot) ? (detectedFaces?.findIndex((face) => isFace(face) && isSame(face, spot)) ?? -1) : -1;

/**
 * What may be a face and was left as it is, as tight boxes in the frame: what the second look lists, and
 * spots slightly below the confidence. Faces that a person leaves visible are not among them.
 */
export function missedSpots({ report, request }: Pick<Result, 'report' | 'request'>, known: Known): Face[] {
  const { pixelation, target, ops } = request;
  if (!pixelation.faces) return [];
  const { detectedFaces, settings } = known;
  const padding = ops.pixelate?.padding ?? pixelationDefaults.padding;
  const listed = [...(report.secondLook ?? []), ...report.belowConfidence].map((spot): Face => {
    const { x, y, w, h } = fromOutput(padded(spot, 1 / padding), target);
    const kind = 'kind' in spot ? { kind: String(spot.kind) } : {};
    return { ...{ x, y, w, h }, ...kind, confidence: spot.confidence, hidden: true };
  });
  const uncertain = uncertainSpots(detectedFaces ?? [], settings.regions, settings).filter((spot) =>
    intersection(spot, target.crop),
  );
  const wasHidden = (spot: Face) =>
    pixelation.list.some(({ owner, found }) => owner === 'face' && isSame(found!, toOutput(spot, target)));
  const isOpen = (spot: Face) => {
    const face = detectedFaces?.[knownAt(known, spot)];
    if (!face) return !settings.regions.some((region) => intersection(region, padded(spot, MIDDLE)));
    const isHidden = face.confidence < settings.confidence ? face.isAdded : face.hidden;
    // Under its blocks it is still found.
    if (isHidden) return wasHidden(spot) && (face.fill ?? settings.faceFill) === 'mosaic';
    return face.confidence < settings.confidence;
  };
  return joined(uncertain, listed).filter(isOpen);
}

/**
 * The state change that hides a spot too: as a face, or as a region where it is something else, or faces were
 * not looked for here.
 */
export function hidingToo(known: Known, spot: Face): Partial<State> {
  const { detectedFaces, settings } = known;
  if (!detectedFaces || !isFace(spot)) {
    const region = newRegion(padded(spot, settings.padding));
    return { settings: { ...settings, regions: [...settings.regions, region] } };
  }
  const at = knownAt(known, spot);
  const face = detectedFaces[at];
  if (!face) return { detectedFaces: [...detectedFaces, { ...spot, isAdded: true }] };
  const wasHidden = face.confidence < settings.confidence ? face.isAdded : face.hidden;
  const added: Face = { ...face, hidden: true, isAdded: true, ...(wasHidden && { fill: 'solid' }) };
  return { detectedFaces: detectedFaces.with(at, added) };
}
