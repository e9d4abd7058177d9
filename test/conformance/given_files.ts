import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { av1Items } from '../fixtures/av1/avif_items.ts';
import { obusOfIvf } from '../fixtures/av1/other_encoders.ts';

/** A stream of a file: all of it, or one of its image items. */
export interface GivenStream {
  /** The folder that the file lies in. */
  readonly family: string;
  readonly name: string;
  readonly obus: Uint8Array;
}

const READERS: Readonly<Record<string, (file: Uint8Array) => readonly Uint8Array[]>> = {
  '.obu': (file) => [file],
  '.ivf': (file) => [obusOfIvf(file)],
  '.avif': av1Items,
};

/** All AV1 streams below a folder: OBUs (section 5), IVF, and the image items of AVIF. */
export function* givenStreams(folder: string): Generator<GivenStream> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of files.filter((entry) => entry.isFile())) {
    const read = READERS[extname(name)];
    if (!read) continue;
    const streams = read(new Uint8Array(readFileSync(join(parentPath, name))));
    for (const [i, obus] of streams.entries()) {
      const family = parentPath.slice(folder.length + 1) || '.';
      yield { family, name: streams.length > 1 ? `${name} ${i}` : name, obus };
    }
  }
}
