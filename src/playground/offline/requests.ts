/** The address to which a gallery's "share" posts its photos; named in the manifest. */
export const SHARE_ADDRESS = '/share';

/** The privacy statement. */
const PRIVACY_ADDRESS = '/privacy';

/** How the service worker handles a request; all other requests pass untouched. */
export type Handling = 'document' | 'file' | 'share';

/** The addresses of the files of the page. */
export interface PageFiles {
  /** Changes whenever one of the files does. */
  readonly version: string;
  /** Kept when the page is first opened. */
  readonly first: readonly string[];
  /** Kept once they are needed: the face detector. */
  readonly later: readonly string[];
  /** Kept once a photo has needed them: the decoder of predicted layers. */
  readonly rare: readonly string[];
}

interface AskedFor {
  readonly method: string;
  readonly url: string;
  readonly mode: string;
}

/**
 * How the service worker handles a request: for the page itself, its files, and photos shared to it.
 * Undefined for calls of the service, the API reference and other origins, which it ignores.
 */
export function handlingOf({ method, url, mode }: AskedFor, origin: string): Handling | undefined {
  const address = new URL(url);
  if (address.origin !== origin) return undefined;
  if (method === 'POST') return address.pathname === SHARE_ADDRESS ? 'share' : undefined;
  if (method !== 'GET') return undefined;
  if (address.pathname === PRIVACY_ADDRESS) return 'file';
  if (address.pathname === '/') return mode === 'navigate' ? 'document' : undefined;
  return address.pathname.startsWith('/playground/') ? 'file' : undefined;
}
