import { byId } from '../dom.ts';
import type { Store } from '../state.ts';
import { deviceErrorText } from '../strings.ts';
import type { SourceFile } from './photo_list.ts';
import { droppedFiles, filesOf, imagesAmong } from './source_files.ts';

/** Formats that the pipeline can't read but browsers may; see pictures/convert_here.ts. */
const CONVERTED = ',image/heic,image/heif,image/bmp,.heic,.heif,.bmp';

/** Accepts images and folders of them: chosen, dropped anywhere on the page, or pasted. */
export function acceptImages(
  store: Store,
  accept: (files: readonly SourceFile[], others: readonly SourceFile[]) => void,
): void {
  const veil = byId('drop-veil');
  const take = (files: readonly SourceFile[]) => {
    const { images, others } = imagesAmong(files);
    if (files.length > 0) accept(images, others);
  };

  // Phones convert such a photo to JPEG if a page does not list its format; elsewhere it should be
  // selectable.
  if (!matchMedia('(pointer: coarse)').matches) byId<HTMLInputElement>('file').accept += CONVERTED;
  for (const [inputId, buttonIds] of [
    ['file', ['choose', 'another']],
    ['folder', ['choose-folder']],
  ] as const) {
    const input = byId<HTMLInputElement>(inputId);
    input.addEventListener('change', () => {
      const files = filesOf(input.files ?? []);
      // Cleared, so that choosing the same file again fires a change event.
      input.value = '';
      take(files);
    });
    for (const id of buttonIds) byId(id).addEventListener('click', () => input.click());
  }

  const example = byId<HTMLButtonElement>('example');
  example.addEventListener('click', async () => {
    example.disabled = true;
    const file = await exampleFile().catch(() => null);
    example.disabled = false;
    if (file) take([{ file, folder: '' }]);
    else store.update({ leftOut: { ...deviceErrorText('not_loaded'), message: '' } });
  });

  const hasFile = ({ dataTransfer }: DragEvent) => Boolean(dataTransfer?.types.includes('Files'));
  document.addEventListener('dragover', (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) veil.hidden = true;
  });
  document.addEventListener('drop', (event) => {
    if (!hasFile(event) || !event.dataTransfer) return;
    event.preventDefault();
    veil.hidden = true;
    void droppedFiles(event.dataTransfer).then(take);
  });
  document.addEventListener('paste', (event) => {
    const files = filesOf(event.clipboardData?.files ?? []);
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  });

  store.subscribe(() => {
    const isEditing = store.state.place === 'editor' && store.state.photo !== null;
    byId('intake').hidden = isEditing;
    byId('workbench').hidden = !isEditing;
  });
}

/** The example photo, whose address is in the document. @throws TypeError if it can't be loaded */
async function exampleFile(): Promise<File> {
  const answer = await fetch(document.querySelector<HTMLMetaElement>('[name="example"]')!.content);
  if (!answer.ok) throw new TypeError('The example is not there');
  return new File([await answer.blob()], 'example.jpg', { type: 'image/jpeg' });
}
