import { byId, setText } from '../dom.ts';
import type { Size } from '../geometry.ts';
import type { Store } from '../state.ts';
import { t } from '../texts.ts';

/** The size at which this browser displays an image, after EXIF rotation; null if it can't display it. */
export async function displayedSize(url: string): Promise<Size | null> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    return null;
  }
  const { naturalWidth: width, naturalHeight: height } = image;
  return width > 0 && height > 0 ? { width, height } : null;
}

/** Shows the photo, or a text in its place while it can't be displayed. */
export function showPicture(store: Store): void {
  const frame = byId('frame');
  const stage = byId('stage');
  const picture = byId<HTMLImageElement>('picture');
  const missing = byId('no-picture');
  store.subscribe(() => {
    const { photo, inspection, settings, view } = store.state;
    if (!photo) return;
    frame.hidden = view === 'result';
    const size = photo.size ?? { width: 3, height: 2 };
    if (view === 'edit') stage.style.setProperty('--ratio', String(size.width / size.height));
    picture.dataset.turn = String(settings.turn);
    picture.style.rotate = `${settings.turn}deg`;
    picture.hidden = photo.displayUrl === null;
    picture.classList.toggle('grey', settings.grayscale);
    byId('mosaic').classList.toggle('grey', settings.grayscale);
    if (photo.displayUrl && picture.src !== photo.displayUrl) picture.src = photo.displayUrl;
    missing.hidden = photo.displayUrl !== null;
    if (!photo.displayUrl) {
      const { photos, currentId } = store.state;
      const hasFailed = photos.some(({ id, failure }) => id === currentId && failure !== null);
      const shown = hasFailed || inspection?.width === 0 ? 'failed' : inspection ? 'notUpright' : 'notShown';
      setText(missing, t(`picture.${shown}`));
    }
  });
}
