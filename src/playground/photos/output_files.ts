import type { OutputFormat } from '../settings/output_format.ts';
import type { ListedPhoto, NameRule } from '../state.ts';
import { t } from '../texts.ts';

/** A clean file and its path: folders, and a name that no other file has. */
export interface OutputFile {
  readonly path: string;
  readonly image: Blob;
}

/** Characters for a number that distinguishes equal names: "-500". */
const MOST_NUMBER = 4;

/** What file names end with. */
export const outputExtension = (format: OutputFormat): string => (format === 'jpeg' ? 'jpg' : format);

/** The path of a photo's clean file. @param number of the photo in its list, from 1 */
function pathOf(
  { file, folder }: ListedPhoto,
  number: number,
  format: OutputFormat,
  safeName: NameRule | null,
): string {
  const extension = outputExtension(format);
  if (!safeName) return `photo-${number}.${extension}`;
  const folders = folder
    .split('/')
    .slice(0, -1)
    .map((name) => `${safeName(name, 0)}/`);
  const stem = file.name.replace(/\.[^.]*$/, '');
  const end = `-clean.${extension}`;
  return `${folders.join('')}${safeName(stem, end.length + MOST_NUMBER)}${end}`;
}

/**
 * The clean files of a list. By default their names reveal nothing of the originals; if names are kept, they
 * are made safe for every system, and free of characters that disguise other text.
 */
export function outputFiles(photos: readonly ListedPhoto[], nameRule: NameRule | null): OutputFile[] {
  const taken = new Set<string>();
  return photos.flatMap((listed, at) => {
    const { result } = listed.kept;
    if (!result) return [];
    const own = pathOf(listed, at + 1, result.format, nameRule);
    let path = own;
    // On systems that ignore case, one file would overwrite the other.
    for (let number = 2; taken.has(path.toLowerCase()); number++) path = numbered(own, number);
    taken.add(path.toLowerCase());
    return [{ path, image: result.image }];
  });
}

/** A text that lists what could not be cleaned, by number if names are not kept; null if everything was. */
export function missingFile(photos: readonly ListedPhoto[], nameRule: NameRule | null): OutputFile | null {
  const lines = photos.flatMap(({ file, failure }, at) => {
    if (failure === null) return [];
    return `${nameRule ? nameRule(file.name, 0) : t('photos.missingName', { number: at + 1 })}: ${failure}`;
  });
  if (lines.length === 0) return null;
  const text = `${[t('photos.missing'), ...lines].join('\n')}\n`;
  return { path: 'not-cleaned.txt', image: new Blob([text], { type: 'text/plain' }) };
}

/** The name of one clean file of the list, without its folder. */
export function outputName(photos: readonly ListedPhoto[], image: Blob, nameRule: NameRule | null): string {
  const file = outputFiles(photos, nameRule).find((one) => one.image === image);
  return file?.path.split('/').at(-1) ?? '';
}

/** "a.jpg" → "a-2.jpg" */
const numbered = (name: string, number: number) => name.replace(/(\.[^./]*)?$/, `-${number}$1`);

/** Writes a file into a folder, creating its subfolders; no existing file is replaced. */
export async function inFolder(root: FileSystemDirectoryHandle, { path, image }: OutputFile): Promise<void> {
  const folders = path.split('/');
  const name = folders.pop()!;
  let folder = root;
  for (const part of folders) folder = await folder.getDirectoryHandle(part, { create: true });
  let free = name;
  for (let number = 2; await exists(folder, free); number++) free = numbered(name, number);
  const file = await folder.getFileHandle(free, { create: true });
  await image.stream().pipeTo(await file.createWritable());
}

async function exists(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.getFileHandle(name);
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return false;
    throw error;
  }
}
