import { handlingOf, type PageFiles } from './requests.ts';

/**
 * Keeps the page for use without a network, and receives photos that are shared to it. It never handles a
 * call of the service, and stores no photo: shared ones wait in memory until the page asks for them.
 */

/**
 * The parts of the Service Workers standard that are used; TypeScript has either these types or those of
 * pages.
 */
interface WaitingEvent extends Event {
  waitUntil(promise: Promise<unknown>): void;
}
interface FetchEvent extends WaitingEvent {
  readonly request: Parameters<typeof fetch>[0] & { formData(): Promise<FormData> } & Parameters<
      typeof handlingOf
    >[0];
  respondWith(answer: Promise<Awaited<ReturnType<typeof fetch>>>): void;
}
interface PageMessage extends WaitingEvent {
  readonly data: unknown;
  readonly source: { postMessage(message: unknown): void } | null;
}
interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: 'install' | 'activate', listener: (event: WaitingEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'message', listener: (event: PageMessage) => void): void;
}
type Answer = Awaited<ReturnType<typeof fetch>>;

const scope = globalThis as unknown as WorkerScope;

/** Inserted here by the build. */
declare const PAGE_FILES: PageFiles;
const { version, first, later, rare } = PAGE_FILES;
/** Files that are kept once they are fetched. */
const ONCE_FETCHED = [...later, ...rare];
const PREFIX = 'page-';
const CACHE = `${PREFIX}${version}`;

/** Milliseconds to wait for the page before the kept copy is shown. */
const PATIENCE = 2000;
/** Milliseconds that shared photos wait for the page to ask for them. */
const SHARED_WAIT = 60_000;

scope.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([...first])));
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(replaceCaches().then(() => scope.clients.claim()));
});

scope.addEventListener('fetch', (event) => {
  switch (handlingOf(event.request, scope.location.origin)) {
    case 'document':
      event.respondWith(pageDocument(event.request));
      break;
    case 'file':
      event.respondWith(pageFile(event));
      break;
    case 'share':
      event.respondWith(takeShared(event));
      break;
    default:
  }
});

scope.addEventListener('message', (event) => {
  if (event.data === 'keep all') event.waitUntil(keepLater());
  if (isRequestForShared(event.data)) {
    event.source?.postMessage({ shared: shared.get(event.data.shared)?.files ?? [] });
    shared.get(event.data.shared)?.taken();
  }
});

/** Moves files that are still valid from the caches of other versions, and deletes those caches. */
async function replaceCaches(): Promise<void> {
  const cache = await caches.open(CACHE);
  for (const name of await caches.keys()) {
    if (!name.startsWith(PREFIX) || name === CACHE) continue;
    const old = await caches.open(name);
    for (const address of ONCE_FETCHED) {
      const kept = await old.match(address);
      if (kept && !(await cache.match(address))) await cache.put(address, kept);
    }
    await caches.delete(name);
  }
}

async function keepLater(): Promise<void> {
  const cache = await caches.open(CACHE);
  for (const address of later) if (!(await cache.match(address))) await cache.add(address);
}

/** The page from the service; the kept copy if the service does not answer in time. */
async function pageDocument(request: FetchEvent['request']): Promise<Answer> {
  const fresh = fetch(request);
  const inTime = await Promise.race([
    fresh.catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE)),
  ]);
  if (inTime?.ok) return inTime;
  return (await caches.match('/')) ?? fresh;
}

/** A file of the page. Its name contains a hash, so a kept copy is always right. */
async function pageFile(event: FetchEvent): Promise<Answer> {
  const { pathname } = new URL(event.request.url);
  const kept = await caches.match(pathname, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.ok && ONCE_FETCHED.includes(pathname)) {
    const copy = answer.clone();
    event.waitUntil(caches.open(CACHE).then((cache) => cache.put(pathname, copy)));
  }
  return answer;
}

/** Shared photos that were not yet asked for, by number. */
const shared = new Map<string, { readonly files: File[]; readonly taken: () => void }>();
let shares = 0;

/** Receives shared photos and opens the page, which then asks for them. */
async function takeShared(event: FetchEvent): Promise<Answer> {
  const form = await event.request.formData();
  const files = form.getAll('photos').filter((part) => part instanceof File);
  shares++;
  const id = String(shares);
  const asked = new Promise<void>((taken) => {
    shared.set(id, { files, taken });
    setTimeout(taken, SHARED_WAIT);
  });
  event.waitUntil(asked.then(() => shared.delete(id)));
  return Response.redirect(`/?shared=${id}`, 303);
}

const isRequestForShared = (data: unknown): data is { shared: string } =>
  typeof data === 'object' && data !== null && 'shared' in data && typeof data.shared === 'string';
