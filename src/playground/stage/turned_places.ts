import { type Turn, turnAfter, turnBack, turnedBox, turnedSize } from '../geometry.ts';
import { turnedFound } from '../settings/things.ts';
import type { State } from '../state.ts';

/** Everything with a place on the photo, after the photo is turned to this total turn. */
export function turnedTo(
  { photo, detectedFaces, settings }: Pick<State, 'photo' | 'detectedFaces' | 'settings'>,
  to: Turn,
): Pick<State, 'photo' | 'detectedFaces' | 'settings'> {
  const by = turnAfter(to, turnBack(settings.turn));
  const size = photo?.size;
  if (!size || by === 0) return { photo, detectedFaces, settings };
  const turned = <B extends Parameters<typeof turnedBox>[0]>(box: B): B => turnedBox(box, size, by);
  return {
    photo: { ...photo, size: turnedSize(size, by) },
    detectedFaces: detectedFaces?.map((face) => turnedFound(face, size, by)) ?? null,
    settings: {
      ...settings,
      turn: to,
      regions: settings.regions.map(turned),
      crop: settings.crop && turned(settings.crop),
    },
  };
}
