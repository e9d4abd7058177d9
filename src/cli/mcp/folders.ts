import { type FileHandle, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CallError } from '../call_error.ts';

/** Most characters of a path repeated in a message. */
const MAX_REPEATED = 300;

/** A model named a path that it may not use; the message does not reveal what is there. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

const isInside = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/** The folders in which files may be read and written, including all subfolders. Links are resolved. */
export class Folders {
  readonly #roots: readonly string[];

  private constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /** @throws CallError for a path that is not a folder */
  static async of(paths: readonly string[]): Promise<Folders> {
    const roots = paths.map(async (path) => {
      const root = await realpath(path).catch(() => undefined);
      if (root === undefined || !(await stat(root)).isDirectory())
        throw new CallError(`${path} is no folder`);
      return root;
    });
    return new Folders(await Promise.all(roots));
  }

  /**
   * The real path of a file to be read.
   * @param path absolute, or relative to the first folder
   * @throws PathError if it is outside of the folders, also by a link; if it does not exist
   */
  async source(path: string): Promise<string> {
    return this.#real(path, path);
  }

  /**
   * The real path of a file to be written; its folder must exist.
   * @throws PathError as `source`, for the folder
   */
  async output(path: string): Promise<string> {
    const name = basename(path);
    if (/[/\\]$|\0/.test(path) || name === '' || name === '.' || name === '..') {
      throw new PathError(`Expected output_path to name a file but received ${path.slice(0, MAX_REPEATED)}`);
    }
    return join(await this.#real(dirname(this.#whole(path)), path), name);
  }

  /**
   * Makes sure that an open file is the one at a path of `source`, or below one of `output`: a folder on the
   * way may have become a link since it was looked at.
   * @throws PathError if it is another
   */
  async requireStill(path: string, file: FileHandle): Promise<void> {
    const real = await realpath(path).catch(() => undefined);
    const options = { bigint: true } as const;
    const [there, open] = await Promise.all([
      real === path && this.#has(real) ? stat(real, options).catch(() => undefined) : undefined,
      file.stat(options),
    ]);
    if (!there || there.ino !== open.ino || there.dev !== open.dev)
      throw new PathError(`${path.slice(0, MAX_REPEATED)} was moved while it was opened`);
  }

  async #real(path: string, name: string): Promise<string> {
    const named = name.slice(0, MAX_REPEATED);
    const whole = this.#whole(path);
    const real = await realpath(whole).catch(() => undefined);
    if (real !== undefined && this.#has(real)) return real;
    // Nobody may learn whether something exists outside of the folders.
    if (real === undefined && this.#has(whole)) throw new PathError(`${named}: no such file or directory`);
    throw new PathError(`${named} is outside of the folders that this server was started with`);
  }

  #whole(path: string): string {
    return resolve(this.#roots[0]!, path);
  }

  #has(path: string): boolean {
    return this.#roots.some((root) => isInside(root, path));
  }
}
