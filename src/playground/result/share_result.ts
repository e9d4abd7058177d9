import { announce, byId } from '../dom.ts';
import { outputName } from '../photos/output_files.ts';
import { photosOf } from '../photos/photo_list.ts';
import { markSaved } from '../photos/unsaved.ts';
import type { Result, Store } from '../state.ts';
import { t } from '../texts.ts';

/** The buttons next to Download: share and copy if the browser supports them, and the next photo. */
export function shareResult(store: Store): void {
  const share = byId('share');
  const copy = byId('copy-image');
  const fileOf = ({ image }: Result) => {
    const { state } = store;
    const name = outputName(photosOf(state), image, state.nameRule);
    return new File([image], name, { type: image.type, lastModified: 0 });
  };
  const canShare = (result: Result) => navigator.canShare?.({ files: [fileOf(result)] }) ?? false;
  const canCopy = typeof ClipboardItem === 'function' && Boolean(navigator.clipboard?.write);

  const finish = (result: Result, done: Promise<unknown>, text: string) =>
    done.then(
      () => {
        markSaved(result.image);
        store.scheduleRender();
        announce(text);
      },
      (error: unknown) => {
        // The person closed the list of targets.
        if (error instanceof DOMException && error.name === 'AbortError') return;
        announce(t('share.refused'));
      },
    );
  share.addEventListener('click', () => {
    const { result } = store.state;
    if (result) void finish(result, navigator.share({ files: [fileOf(result)] }), t('share.shared'));
  });
  copy.addEventListener('click', () => {
    const { result } = store.state;
    if (!result) return;
    // The clipboard accepts only PNG; with a promise, the person's click stays valid while the PNG is made.
    const item = new ClipboardItem({ 'image/png': asPng(result.image) });
    void finish(result, navigator.clipboard.write([item]), t('share.copied'));
  });
  byId('clean-another').addEventListener('click', () => byId('file').click());

  store.view(
    ({ result }) => result && [result],
    (result) => {
      share.hidden = !canShare(result);
      copy.hidden = !canCopy;
    },
  );
}

async function asPng(image: Blob): Promise<Blob> {
  if (image.type === 'image/png') return image;
  const bitmap = await createImageBitmap(image);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('bitmaprenderer')!.transferFromImageBitmap(bitmap);
  return canvas.convertToBlob({ type: 'image/png' });
}
