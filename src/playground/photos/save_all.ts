import { announce, byId } from '../dom.ts';
import type { Store } from '../state.ts';
import { t } from '../texts.ts';
import { inFolder, missingFile, type OutputFile, outputFiles } from './output_files.ts';
import { photosOf } from './photo_list.ts';
import { markSaved } from './unsaved.ts';

/** Parts of the File System Access API that some browsers have and TypeScript's types lack. */
interface FilePickers {
  showSaveFilePicker?(options: {
    suggestedName: string;
    types: { accept: Record<string, string[]> }[];
  }): Promise<FileSystemFileHandle>;
  showDirectoryPicker?(options: { mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}
const pickers = window as Window & FilePickers;

const ZIP_NAME = 'clean-photos.zip';
/** The earliest time that a ZIP file can state: it must not reveal when a photo was cleaned. */
const NO_TIME = new Date(1980, 0, 1);

/** The buttons that save all clean photos: as a ZIP file, or into a folder if the browser supports it. */
export function saveAll(store: Store): void {
  const zip = byId('save-zip');
  const folder = byId('save-folder');
  const files = () => outputFiles(photosOf(store.state), store.state.nameRule);
  /** The clean files, with the list of missing ones. */
  const saved = () => [
    ...files(),
    ...[missingFile(photosOf(store.state), store.state.nameRule)].filter((one) => one !== null),
  ];
  const said = (text: string) => {
    for (const { image } of files()) markSaved(image);
    store.scheduleRender();
    announce(text);
  };
  const save = (run: () => Promise<string>) => () =>
    void run().then(said, (error: unknown) => {
      // The person closed the picker.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      store.update({
        errorMessage: {
          title: t('photos.notSaved'),
          message: '',
          detail: error instanceof Error ? error.message : undefined,
          advice: t('photos.notSavedAdvice'),
          actions: [{ label: t('photos.zip'), run: () => zip.click() }],
        },
      });
    });
  zip.addEventListener(
    'click',
    save(() => saveZip(saved(), files().length)),
  );
  folder.addEventListener(
    'click',
    save(() => saveToFolder(saved(), files().length)),
  );
  store.subscribe(() => {
    const none = store.state.batch !== null || files().length < 2;
    zip.hidden = none;
    folder.hidden = none || !pickers.showDirectoryPicker;
  });
}

/** Streams to the disk if the browser supports it; otherwise the browser collects the file. */
async function saveZip(files: readonly OutputFile[], count: number): Promise<string> {
  const picked = await pickers.showSaveFilePicker?.({
    suggestedName: ZIP_NAME,
    types: [{ accept: { 'application/zip': ['.zip'] } }],
  });
  // Needed only to save several photos.
  const { makeZip } = await import('client-zip');
  const stream = makeZip(
    files.map(({ path, image }) => ({ name: path, input: image, lastModified: NO_TIME })),
  );
  if (picked) await stream.pipeTo(await picked.createWritable());
  else {
    const url = URL.createObjectURL(await blobOf(stream));
    const link = document.createElement('a');
    link.href = url;
    link.download = ZIP_NAME;
    link.click();
    // The download begins once the click has been handled; a minute is more than enough to open it.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }
  return t('photos.savedZip', { count });
}

async function blobOf(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const parts: BlobPart[] = [];
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    // One Blob per part, so that the browser may move it out of this page's memory.
    parts.push(new Blob([read.value as Uint8Array<ArrayBuffer>]));
  }
  return new Blob(parts, { type: 'application/zip' });
}

async function saveToFolder(files: readonly OutputFile[], count: number): Promise<string> {
  const root = await pickers.showDirectoryPicker!({ mode: 'readwrite' });
  for (const file of files) await inFolder(root, file);
  return t('photos.savedFolder', { count, name: root.name });
}
