import { type Size, type Turn, turnBack, turnedSize } from '../geometry.ts';
import type { Pixels } from '../stage/block_means.ts';
import type { Photo, Store } from '../state.ts';
import { inWorker } from './in_worker.ts';
import { countedSize } from './jobs.ts';
import { readPixels } from './read_pixels.ts';

/** A source for drawing: a picture with its size in its own pixels. */
export interface Drawable extends Size {
  readonly image: CanvasImageSource;
}

/** A picture to draw from, with more members if it is this page's own copy. */
export interface PictureCopy extends Drawable {
  /** A smaller copy, whose pixels are read. */
  readonly pixels: Pixels;
  readonly isTransparent?: boolean;
}

/**
 * A copy of the shown photo for everything that draws from it. Drawing from the `img` itself would decode the
 * whole of a large photo on the page's main thread.
 */
class Preview {
  #copy: PictureCopy | null = null;
  #turned: PictureCopy | null = null;
  #turn: Turn = 0;
  #url: string | null = null;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    store.subscribe(() => this.#show(store.state.photo, store.state.settings.turn));
  }

  /** The upright copy, without the person's turn; null until it is ready. */
  get copy(): PictureCopy | null {
    return this.#copy;
  }

  /** The copy as the photo is shown; null until it is ready. */
  get shown(): PictureCopy | null {
    return this.#turned ?? this.#copy;
  }

  #show(photo: Photo | null, turn: Turn): void {
    const url = photo?.displayUrl ?? null;
    if (url === this.#url && turn === this.#turn) return;
    this.#turn = turn;
    if (url === this.#url) {
      this.#replace(this.#copy);
      return;
    }
    this.#url = url;
    this.#replace(null);
    if (photo && url) void this.#load(photo, url);
  }

  async #load({ file, displayedBy, size }: Photo, url: string): Promise<void> {
    const upright = size && turnedSize(size, turnBack(this.#turn));
    const copy = await pictureOf(url, displayedBy === 'browser' ? file : null, upright);
    if (this.#url !== url) {
      if (copy) release(copy);
      return;
    }
    this.#replace(copy);
    this.#store.scheduleRender();
  }

  #replace(copy: PictureCopy | null): void {
    if (this.#turned) release(this.#turned);
    if (this.#copy && this.#copy !== copy) release(this.#copy);
    this.#copy = copy;
    this.#turned = copy && this.#turn !== 0 ? turnedCopy(copy, this.#turn) : null;
  }
}

const previews = new WeakMap<Store, Preview>();

/** The one copy of a page. */
export function previewOf(store: Store): Preview {
  const known = previews.get(store) ?? new Preview(store);
  previews.set(store, known);
  return known;
}

/**
 * A picture to draw from: a copy, reduced if large; an `img` if this browser can't make a copy; null if it
 * can't display it either.
 * @param file behind the URL; null if the URL shows another picture
 * @param size upright, in pixels; null if unknown
 */
export async function pictureOf(
  url: string,
  file: Blob | null,
  size: Size | null,
): Promise<PictureCopy | null> {
  return (file && size && (await copyOf(file, size))) ?? elementOf(url);
}

async function copyOf(file: Blob, size: Size): Promise<PictureCopy | null> {
  const copies = await inWorker('copies', file, size).catch(() => null);
  if (!copies) return null;
  const { shown, pixels, isTransparent } = copies;
  return { image: shown, width: shown.width, height: shown.height, pixels, isTransparent };
}

function turnedCopy(copy: PictureCopy, turn: Turn): PictureCopy | null {
  const { width, height } = turnedSize(copy, turn);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.translate(width / 2, height / 2);
  context.rotate((turn * Math.PI) / 180);
  context.drawImage(copy.image, -copy.width / 2, -copy.height / 2, copy.width, copy.height);
  const image = canvas.transferToImageBitmap();
  return { ...copy, image, width, height, pixels: readPixels(image, countedSize({ width, height })) };
}

/** Frees a copy's memory. */
export function release({ image }: Drawable): void {
  if (image instanceof ImageBitmap) image.close();
}

async function elementOf(url: string): Promise<PictureCopy | null> {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => undefined);
  const { naturalWidth: width, naturalHeight: height } = image;
  if (width === 0) return null;
  return { image, width, height, pixels: readPixels(image, countedSize({ width, height })) };
}
