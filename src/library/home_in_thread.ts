import type { Home } from './home.ts';
import { home as webHome } from './home_web.ts';
import { threadScope } from './thread_scope.ts';

/** A thread's request for a part, to whoever started it, and the answer. */
export interface PartWanted {
  readonly wanted: string;
}
export interface PartGiven {
  readonly part: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const waiting = new Map<string, ((bytes: Uint8Array<ArrayBuffer>) => void)[]>();

/** Takes a part that has arrived. */
export function takePart({ part, bytes }: PartGiven): void {
  for (const resolve of waiting.get(part) ?? []) resolve(bytes);
  waiting.delete(part);
}

/** For a thread that was started from the single-file script: the package's files are in that script. */
export const home: Home = {
  ...webHome,
  readFile: ({ pathname }) =>
    new Promise((resolve) => {
      const part = pathname.slice(1);
      waiting.set(part, [...(waiting.get(part) ?? []), resolve]);
      threadScope.post({ wanted: part } satisfies PartWanted, []);
    }),
};
