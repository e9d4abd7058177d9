import type { ListedPhoto } from './state.ts';

/** A clean file, and where it goes: folders and a name that no other has. */
export interface OutputFile {
  readonly path: string;
  readonly image: Blob;
}

/** The clean files of a list. */
export function outputFiles(photos: readonly ListedPhoto[]): OutputFile[] {
  const taken = new Set<string>();
  return photos.flatMap(({ folder, kept }) => {
    if (!kept.result) return [];
    const { name, image } = kept.result;
    let path = folder + name;
    // Systems that do not tell cases apart would put one over the other.
    for (let number = 2; taken.has(path.toLowerCase()); number++) path = folder + numbered(name, number);
    taken.add(path.toLowerCase());
    return [{ path, image }];
  });
}

/** "a.jpg" → "a-2.jpg" */
const numbered = (name: string, number: number) => name.replace(/(\.[^.]*)?$/, `-${number}$1`);

/** Writes a file into a folder and its folders in there; nothing there is replaced. */
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
