import { expect, it } from 'vitest';
import { seededBelow } from '../fixtures/random.ts';

interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}
/** Reads a file, and tells what is wrong; null where nothing is. */
type Wrong = (bytes: Uint8Array) => string | null;

/** Every file, mutated so many times, is read without a fault. @param seed of a file's length */
export function fuzzFiles(files: readonly NamedFile[], count: number, seed: number, wrong: Wrong): void {
  it.each(files)(`$name: ${count} mutations`, ({ name, bytes }) => {
    const random = seededBelow(name.length * seed + bytes.length);
    const mutant = bytes.slice();
    for (let n = 0; n < count; n++) {
      const changed: number[] = [];
      for (let edits = 1 + random(4); edits > 0; edits--) {
        const at = random(bytes.length);
        changed.push(at);
        // ends of the range are what counts and lengths break on
        mutant[at] = [random(256), 0, 0xff, mutant[at]! ^ (1 << random(8))][random(4)]!;
      }
      const fault = wrong(mutant);
      if (fault !== null) expect.fail(`mutation ${n} at ${changed}: ${fault}`);
      for (const at of changed) mutant[at] = bytes[at]!;
    }
  });
}

/** Every file, cut at every offset, is read without a fault. */
export function cutFiles(files: readonly NamedFile[], wrong: Wrong): void {
  it.each(files)('$name: cut at every offset', ({ bytes }) => {
    for (let length = 0; length < bytes.length; length++) {
      const fault = wrong(bytes.subarray(0, length));
      if (fault !== null) expect.fail(`cut to ${length}: ${fault}`);
    }
  });
}
