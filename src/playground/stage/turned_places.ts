import { type Turn, turnAfter, turnBack, turnedBox, turnedSize } from '../geometry.ts';
import { turnedFound } from '../settings/things.ts';
import type { State } from '../state.ts';

/** What is known of the photo's places, as they are once it is turned by so much in all. */
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
    detectedFaces:
      detectedFaces?.map((face) => ({
        ...turnedFound(face, size, by),
        ...(face.area && { area: turned(face.area) }),
      })) ?? null,
    settings: {
      ...settings,
      turn: to,
      regions: settings.regions.map(turned),
      spared: settings.spared.map(turned),
      crop: settings.crop && turned(settings.crop),
    },
  };
}
