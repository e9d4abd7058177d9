import { type FileHandle, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pid } from 'node:process';
import { cutToBytes, MAX_NAME_BYTES } from '../safe_name.ts';

let written = 0;

/** Errors from file systems that have no hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** The output already exists and must not be replaced. */
export class OutputExistsError extends Error {
  override readonly name = 'OutputExistsError';
  readonly code = 'EEXIST';

  constructor(path: string) {
    super(`${path} is there already; --force replaces it, --skip-existing leaves it`);
  }
}

/** Most permissions of written files; the process's umask and existing files can reduce them. */
export interface Modes {
  readonly file: number;
  /** For folders that are created. */
  readonly folder: number;
}

/** Modes of new files and folders if no source is known. */
const USUAL: Modes = { file: 0o666, folder: 0o777 };

/**
 * The modes of a file and its folder, which outputs made from it must not exceed; for a pipe the usual ones.
 * @throws the file system's error
 */
export async function modesOf(path: string): Promise<Modes> {
  const [file, folder] = await Promise.all([stat(path), stat(dirname(path))]);
  if (!file.isFile()) return USUAL;
  return { file: file.mode & USUAL.file, folder: (folder.mode & USUAL.folder) | 0o700 };
}

/**
 * Writes a file completely or not at all: under a temporary name next to it, which is then renamed. Missing
 * parent folders are created.
 * @param force whether an existing file is replaced; the new one then has no wider mode
 * @param check of the temporary file and its path, before anything is written
 * @throws OutputExistsError; the file system's error; what `check` throws
 */
export async function writeWhole(
  path: string,
  bytes: Uint8Array,
  force: boolean,
  modes: Modes = USUAL,
  check?: (file: FileHandle, path: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: modes.folder });
  const before = force ? await stat(path).catch(() => undefined) : undefined;
  const mode = modes.file & (before?.mode ?? USUAL.file);
  const end = `.${pid}-${written++}.part`;
  const temporary = join(folder, `.${cutToBytes(basename(path), MAX_NAME_BYTES - 1 - end.length)}${end}`);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await check?.(file, temporary);
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    if (force) await rename(temporary, path);
    else await claim(temporary, path, mode);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Gives a file an unused name. A link never replaces a file, not even one that was created just now. */
async function claim(temporary: string, path: string, mode: number): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new OutputExistsError(path);
    if (!NO_LINKS.includes(code)) throw error;
    await claimByOpening(temporary, path, mode);
  }
}

async function claimByOpening(temporary: string, path: string, mode: number): Promise<void> {
  try {
    await (await open(path, 'wx', mode)).close();
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
