import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pid } from 'node:process';

let written = 0;

/** What file systems answer that have no hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** There is such an output, and it is not to be replaced. */
export class OutputExistsError extends Error {
  override readonly name = 'OutputExistsError';
  readonly code = 'EEXIST';

  constructor(path: string) {
    super(`${path} is there already; --force replaces it, --skip-existing leaves it`);
  }
}

/**
 * Writes a file whole or not at all: to a temporary name beside it, which then becomes the file's. Folders
 * above it are made.
 * @param force whether a file of that name is replaced
 * @throws OutputExistsError; the file system's error
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
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new OutputExistsError(path);
    if (!NO_LINKS.includes(code)) throw error;
    await claimByOpening(temporary, path);
  }
}

async function claimByOpening(temporary: string, path: string): Promise<void> {
  try {
    await (await open(path, 'wx')).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new OutputExistsError(path);
    throw error;
  }
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
