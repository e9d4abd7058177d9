/** Where a gallery's "share" puts its photos; the manifest names it. */
export const SHARE_ADDRESS = '/share';

/** The privacy statement. */
const PRIVACY_ADDRESS = '/privacy';

/** What the service worker does with a request; everything else goes its way unseen. */
export type Handling = 'document' | 'file' | 'share';

/** The files that the page consists of, by their addresses. */
export interface PageFiles {
  /** Changes with any of the files. */
  readonly version: string;
  /** Kept when the page is opened first. */
  readonly first: readonly string[];
  /** Kept once they are needed: the face detector. */
  readonly later: readonly string[];
  /** Kept once a photo has needed them: what decodes predicted layers. */
  readonly rare: readonly string[];
}

interface AskedFor {
  readonly method: string;
  readonly url: string;
  readonly mode: string;
}

/**
 * What the service worker does with a request: the page itself, its files, and photos shared to it. Calls of
 * the service, the API reference and other origins are not its business: undefined.
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
