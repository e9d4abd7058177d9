import { isImage } from './image_names.ts';
import type { SourceFile } from './photo_list.ts';

/** Most files read from dropped folders. */
const MAX_FILES = 5000;
/** Numbers within names count as numbers: "2.jpg" comes before "10.jpg". */
const { compare } = new Intl.Collator(undefined, { numeric: true });

/**
 * Divides several files into images, sorted by name within each folder, and other files, without those that
 * systems hide. A single file is always taken, so that its refusal is explained.
 */
export function imagesAmong(
  files: readonly SourceFile[],
): Record<'images' | 'others', readonly SourceFile[]> {
  if (files.length === 1) return { images: files, others: [] };
  const images = files
    .filter(({ file }) => isImage(file))
    .sort((a, b) => compare(a.folder, b.folder) || compare(a.file.name, b.file.name));
  const others = files.filter(
    ({ file }) => !isImage(file) && !/^\.|^(?:thumbs\.db|desktop\.ini)$/i.test(file.name),
  );
  return { images, others };
}

/** Files of an input; if it is for folders, with the folders they lie in. */
export const filesOf = (list: Iterable<File>): SourceFile[] =>
  [...list].map((file) => ({ file, folder: file.webkitRelativePath.replace(/[^/]*$/, '') }));

/** All dropped files, including those in folders. Must be called while the event is handled. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<SourceFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) return filesOf(files);
  const found: SourceFile[] = [];
  for (const entry of entries) if (entry) await collect(entry, '', found);
  return found;
}

async function collect(entry: FileSystemEntry, folder: string, found: SourceFile[]): Promise<void> {
  if (found.length >= MAX_FILES) return;
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    found.push({ file, folder });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader returns some entries at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return;
    for (const inner of some) await collect(inner, `${folder}${entry.name}/`, found);
  }
}
