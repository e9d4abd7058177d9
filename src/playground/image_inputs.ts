import { byId } from './dom.ts';
import type { Store } from './state.ts';

/** Accepts images that are chosen, dropped anywhere on the page, or pasted. */
export function acceptImages(store: Store, accept: (file: File) => void): void {
  const input = byId<HTMLInputElement>('file');
  const veil = byId('drop-veil');

  input.addEventListener('change', () => {
    const file = input.files?.[0];
    // Cleared, so that choosing the same file again fires a change event.
    input.value = '';
    if (file) accept(file);
  });
  for (const id of ['choose', 'another']) byId(id).addEventListener('click', () => input.click());

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
    if (!hasFile(event)) return;
    event.preventDefault();
    veil.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (file) accept(file);
  });
  document.addEventListener('paste', (event) => {
    const file = event.clipboardData?.files[0];
    if (!file) return;
    event.preventDefault();
    accept(file);
  });

  store.subscribe(() => {
    const { photo } = store.state;
    byId('intake').hidden = photo !== null;
    byId('workbench').hidden = photo === null;
  });
}
