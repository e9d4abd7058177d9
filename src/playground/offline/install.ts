import { byId } from '../dom.ts';
import type { Store } from '../state.ts';

/** The browser's offer to install the page (Web App Manifest, incubations); not all browsers have it. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(): string },
  ): { createScriptURL(address: string): string };
}

const WORKER = '/service_worker.js';

/**
 * Keeps the page on this device, offers to install it, and accepts photos that are shared to it.
 * @param accept called with shared photos, at least one
 */
export function workOffline(store: Store, accept: (files: readonly File[]) => void): void {
  offerInstallation();
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => WORKER });
  // Without it the page also works, as long as there is a network.
  serviceWorker.register(policy?.createScriptURL('') ?? WORKER).catch(() => undefined);

  const keepAll = () => {
    void serviceWorker.ready.then(({ active }) => active?.postMessage('keep all'));
  };
  // An installed page must work without a network even if no faces were looked for yet.
  if (matchMedia('(display-mode: standalone)').matches) keepAll();
  else if (isUnmetered()) addEventListener('load', () => whenIdle(keepAll));
  addEventListener('appinstalled', keepAll);
  let kept = false;
  store.subscribe(() => {
    if (kept || store.state.engine !== 'device' || store.state.detectedFaces === null) return;
    kept = true;
    keepAll();
  });
  askForShared(serviceWorker, accept);
}

/** What some browsers report about the network (Network Information API); missing in TypeScript's types. */
interface Connection {
  readonly saveData?: boolean;
  readonly type?: string;
}

/** Whether traffic is free: as the browser reports, or else if there is a mouse. */
function isUnmetered(): boolean {
  const { saveData, type } = (navigator as { connection?: Connection }).connection ?? {};
  if (saveData) return false;
  return type ? type === 'wifi' || type === 'ethernet' : matchMedia('(pointer: fine)').matches;
}

const whenIdle = (run: () => void) =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(run) : setTimeout(run, 2000);

/** Asks for the photos whose sharing opened this page, if there are any. */
function askForShared(serviceWorker: ServiceWorkerContainer, accept: (files: readonly File[]) => void): void {
  const address = new URL(location.href);
  const id = address.searchParams.get('shared');
  if (id === null) return;
  // A reload must not ask again.
  history.replaceState(null, '', '/');
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ shared?: unknown }>) => {
    const files = Array.isArray(data.shared) ? data.shared.filter((file) => file instanceof File) : [];
    if (files.length > 0) accept(files);
  });
  serviceWorker.startMessages();
  serviceWorker.controller?.postMessage({ shared: id });
}

function offerInstallation(): void {
  const button = byId<HTMLButtonElement>('install');
  let offer: InstallOffer | null = null;
  addEventListener('beforeinstallprompt', (event) => {
    offer = event as InstallOffer;
    button.hidden = false;
  });
  button.addEventListener('click', () => {
    void offer?.prompt();
    button.hidden = true;
  });
}
