import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CallError } from '../call_error.ts';

/** Most characters of a path that a message repeats. */
const MAX_REPEATED = 300;

/** A path that a model named and that it may not use; the message says nothing of what is there. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

const isInside = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/** The folders that files may be read from and written to, with all below them. Links are resolved. */
export class Folders {
  readonly #roots: readonly string[];

  private constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /** @throws CallError for what is no folder */
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
   * Where a file to be read really lies.
   * @param path absolute, or below the first folder
   * @throws PathError where it is outside, by a link too; where it is not there
   */
  async source(path: string): Promise<string> {
    return this.#real(path, path);
  }

  /**
   * Where a file to be written will really lie; its folder is there.
   * @throws PathError as `source`, of the folder
   */
  async output(path: string): Promise<string> {
    const name = basename(path);
    if (/[/\\]$|\0/.test(path) || name === '' || name === '.' || name === '..') {
      throw new PathError(`Expected output_path to name a file but received ${path.slice(0, MAX_REPEATED)}`);
    }
    return join(await this.#real(dirname(this.#whole(path)), path), name);
  }

  async #real(path: string, name: string): Promise<string> {
    const named = name.slice(0, MAX_REPEATED);
    const whole = this.#whole(path);
    const real = await realpath(whole).catch(() => undefined);
    if (real !== undefined && this.#has(real)) return real;
    // Of what lies outside nobody learns whether it is there.
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
