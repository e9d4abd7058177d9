import { parts } from '#parts';
import type { Home } from './home.ts';
import { home as webHome } from './home_web.ts';

/** For any runtime that compiles WebAssembly: the package's files are inside the script, compressed. */
export const home: Home = {
  readFile: async ({ pathname }) => unpack(parts[pathname.slice(1)]!),
  openFile: () =>
    Promise.reject(new TypeError('Expected bytes, a Blob or a stream but received the name of a file')),
  nextTurn: webHome.nextTurn,
};

/** Unpacks base64 of gzip (RFC 1952), as the build produced it. */
async function unpack(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
