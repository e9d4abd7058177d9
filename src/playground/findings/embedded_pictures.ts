import type { InspectResult } from '../../../client/index.ts';
import { el, setText } from '../dom.ts';
import { uprightSize, uprightTransform } from '../geometry.ts';
import { readPixels } from '../pictures/read_pixels.ts';
import type { Pixels } from '../stage/block_means.ts';
import { t } from '../texts.ts';
import { showOther } from './other_picture.ts';

type Thumbnail = NonNullable<InspectResult['values']>['thumbnails'][number];

/** Most embedded pictures shown. */
const MAX_SHOWN = 3;

/**
 * The pictures inside the file, each next to the picture itself, and marked if it may show more.
 * @param displayUrl object URL of the picture; null while it can't be displayed
 * @param drawn called with each one drawn, for comparison
 */
export function embeddedPictures(
  inspection: InspectResult,
  displayUrl: string | null,
  drawn: (canvas: HTMLCanvasElement) => void,
): HTMLElement[] {
  const shown = (inspection.values?.thumbnails ?? []).filter(({ image }) => image !== undefined);
  return shown.slice(0, MAX_SHOWN).map((thumbnail) => {
    const canvas = el('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', t('reveal.thumbnail'));
    void draw(canvas, thumbnail, inspection).then((isDrawn) => {
      if (isDrawn) drawn(canvas);
    });
    const inside = el(
      'figure',
      { className: thumbnail.differs ? 'differing' : '' },
      canvas,
      el('figcaption', {
        textContent: t(thumbnail.differs ? 'reveal.thumbnailMore' : 'reveal.thumbnail'),
      }),
    );
    const picture =
      displayUrl !== null &&
      el(
        'figure',
        {},
        el('img', { src: displayUrl, alt: '', draggable: false }),
        el('figcaption', { textContent: t('reveal.picture') }),
      );
    return el('div', { className: 'embedded' }, inside, picture);
  });
}

/**
 * Marks an embedded picture that shows something different from the picture, although it has the same shape.
 */
export function compareWith(picture: Pixels, canvas: HTMLCanvasElement): void {
  const figure = canvas.closest('figure');
  // Compares a copy: Chromium warns about reads from a displayed canvas.
  if (!figure || !showOther(readPixels(canvas, canvas), picture)) return;
  figure.className = 'differing';
  setText(figure.querySelector('figcaption')!, t('reveal.thumbnailMore'));
}

/** Draws an embedded picture with the same orientation as the picture itself. */
async function draw(
  canvas: HTMLCanvasElement,
  thumbnail: Thumbnail,
  inspection: InspectResult,
): Promise<boolean> {
  const bytes = Uint8Array.from(atob(thumbnail.image ?? ''), (character) => character.charCodeAt(0));
  let bitmap: ImageBitmap;
  try {
    const type = thumbnail.encoding === 'av1' ? 'image/avif' : 'image/jpeg';
    bitmap = await createImageBitmap(new Blob([bytes], { type }), {
      imageOrientation: 'none',
    });
  } catch {
    canvas.replaceWith(el('p', { className: 'note', textContent: t('reveal.thumbnailBroken') }));
    return false;
  }
  const orientation = orientationOf(thumbnail, inspection);
  Object.assign(canvas, uprightSize(bitmap, orientation));
  const context = canvas.getContext('2d');
  context?.setTransform(...uprightTransform(bitmap, orientation));
  context?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return true;
}

/**
 * Embedded pictures are stored like the picture, usually without an orientation of their own. If one has the
 * picture's shape after its turn, it is already upright.
 */
function orientationOf({ width, height, differs }: Thumbnail, inspection: InspectResult): number {
  const { orientation, width: storedWidth, height: storedHeight } = inspection;
  const liesOtherwise = width > height !== storedWidth > storedHeight;
  return orientation > 4 && !differs && liesOtherwise ? 1 : orientation;
}
