import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pid } from 'node:process';

let written = 0;

/** What file systems answer that have no hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'ENOSYS'];

/**
 * Writes a file whole or not at all: to a temporary name beside it, which then becomes the file's. Folders
 * above it are made.
 * @param force whether a file of that name is replaced
 * @throws the file system's error; EEXIST where there is such a file and it is not to be replaced
 */
export async function writeWhole(path: string, bytes: Uint8Array, force: boolean): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${basename(path)}.${pid}-${written++}.part`);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    if (force) await rename(temporary, path);
    else await claim(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Gives a file a name that is free. A link never replaces a file, not even one that was made this moment. */
async function claim(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await (await open(path, 'wx')).close();
    await rename(temporary, path);
  }
}
