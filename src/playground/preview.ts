import type { Photo, Store } from './state.ts';

/** Longest edge of the copy in pixels: sharp enough for a screen, and at most 26 MB. */
const MAX_EDGE = 2560;

/** What is drawn from: a picture, and its size in its own pixels. */
export interface Drawable extends Pick<ImageBitmap, 'width' | 'height'> {
  readonly image: CanvasImageSource;
}

/**
 * A copy of the shown photo for everything that draws from it. Drawing from the `img` itself would decode all
 * of a large photo on the page's main thread; the browser makes this copy beside it.
 */
class Preview {
  #drawable: Drawable | null = null;
  #url: string | null = null;
  readonly #listeners: (() => void)[] = [];

  constructor(store: Store) {
    store.subscribe(() => this.#show(store.state.photo));
  }

  /** Null until it is there. */
  get drawable(): Drawable | null {
    return this.#drawable;
  }

  /** @param listener called when another copy is there */
  subscribe(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #show(photo: Photo | null): void {
    const url = photo?.displayUrl ?? null;
    if (url === this.#url) return;
    this.#url = url;
    this.#replace(null);
    if (photo && url) void this.#load(photo, url);
  }

  async #load(photo: Photo, url: string): Promise<void> {
    const drawable = (await bitmapOf(photo)) ?? (await elementOf(url));
    if (this.#url !== url) {
      if (drawable?.image instanceof ImageBitmap) drawable.image.close();
      return;
    }
    this.#replace(drawable);
    for (const listener of this.#listeners) listener();
  }

  #replace(drawable: Drawable | null): void {
    if (this.#drawable?.image instanceof ImageBitmap) this.#drawable.image.close();
    this.#drawable = drawable;
  }
}

const previews = new WeakMap<Store, Preview>();

/** The one copy of a page. */
export function previewOf(store: Store): Preview {
  const known = previews.get(store) ?? new Preview(store);
  previews.set(store, known);
  return known;
}

/** The photo as the browser turns it, shrunk where it is large; null where the `img` has to do. */
async function bitmapOf({ file, displayedBy, size }: Photo): Promise<Drawable | null> {
  if (displayedBy !== 'browser' || !size) return null;
  const scale = MAX_EDGE / Math.max(size.width, size.height);
  try {
    const image = await createImageBitmap(file, {
      imageOrientation: 'from-image',
      ...(scale < 1 && { resizeWidth: Math.round(size.width * scale), resizeQuality: 'low' }),
    });
    const { width, height } = image;
    // Some browsers measure before they turn the picture.
    if (Math.abs((width * size.height) / (height * size.width) - 1) < 0.02) return { image, width, height };
    image.close();
  } catch {
    // The img shows what this can't decode.
  }
  return null;
}

async function elementOf(url: string): Promise<Drawable | null> {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => undefined);
  return drawableOf(image);
}

/** An `img` as it is; null while it shows nothing. */
export function drawableOf(image: HTMLImageElement): Drawable | null {
  const { complete, naturalWidth: width, naturalHeight: height } = image;
  return complete && width > 0 ? { image, width, height } : null;
}
