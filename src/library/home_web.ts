import type { Home } from './home.ts';

/**
 * Pages and web workers: a bundler has placed the package's files next to the script, on its own origin. A
 * message is used for a turn, since browsers delay nested timers by 4 ms.
 */
export const home: Home = {
  async readFile(address) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`A file of image-sanitizer is missing: ${address.pathname}`);
    return new Uint8Array(await response.arrayBuffer());
  },
  openFile: () =>
    Promise.reject(
      new TypeError('Expected a File or a Blob but received the name of a file, which pages can’t read'),
    ),
  nextTurn: () =>
    new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        done();
      };
      port2.postMessage(null);
    }),
};
