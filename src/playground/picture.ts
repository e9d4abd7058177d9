import { byId, setText } from './dom.ts';
import type { Size } from './geometry.ts';
import type { Store } from './state.ts';

/** The size this browser shows an image with, EXIF rotation done; null when it can't show it. */
export async function sizeShown(address: string): Promise<Size | null> {
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    return null;
  }
  const { naturalWidth: width, naturalHeight: height } = image;
  return width > 0 && height > 0 ? { width, height } : null;
}

/** The photo itself, or words in its place. */
export function showPicture(store: Store): void {
  const frame = byId('frame');
  const stage = byId('stage');
  const picture = byId<HTMLImageElement>('picture');
  const missing = byId('no-picture');
  store.view(() => {
    const { photo, inspected, settings, view } = store.state;
    if (!photo) return;
    frame.hidden = view === 'result';
    const size = photo.frame ?? { width: 3, height: 2 };
    if (view === 'edit') stage.style.setProperty('--ratio', String(size.width / size.height));
    picture.hidden = photo.shown === null;
    picture.classList.toggle('grey', settings.grayscale);
    byId('mosaic').classList.toggle('grey', settings.grayscale);
    if (photo.shown && picture.src !== photo.shown) picture.src = photo.shown;
    missing.hidden = photo.shown !== null;
    if (!photo.shown) {
      setText(
        missing,
        inspected
          ? 'This browser can’t show the photo upright. The service makes a clean copy to show here.'
          : 'This browser can’t show the photo. It is being looked at.',
      );
    }
  });
}
