import type { Controller } from './controller.ts';
import { announce, byId, setText } from './dom.ts';
import { clientFor } from './engine/service_engine.ts';
import { errorMessageFrom } from './error_message.ts';
import type { RequestQueue } from './request_queue.ts';
import type { Store } from './state.ts';
import { placeTexts, pluralize } from './strings.ts';

/** Under this name a key is kept in session storage, if the person asks for it. */
const STORAGE_KEY = 'image-sanitizer-key';
const NOTE =
  'A key allows more calls a minute. It stays in this page’s memory and goes nowhere but to this service.';

/** Session storage; null where the browser blocks it. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/**
 * Where photos are cleaned: the switch between this device and the service, the form for an API key, and the
 * status in the header.
 */
export function showAccount(store: Store, queue: RequestQueue, controller: Controller): void {
  const sheet = byId<HTMLFormElement>('key-sheet');
  const toggle = byId('key-toggle');
  const input = byId<HTMLInputElement>('key-input');
  const keep = byId<HTMLInputElement>('key-keep');
  const forget = byId('key-forget');
  const note = byId('key-note');
  const useService = byId<HTMLInputElement>('use-service');

  const open = (isOpen: boolean) => {
    sheet.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) useService.focus();
  };
  toggle.addEventListener('click', () => open(Boolean(sheet.hidden)));
  useService.addEventListener('change', () => {
    controller.use(useService.checked ? 'service' : 'device');
    announce(placeTexts[store.state.engine].promise);
  });
  sheet.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    open(false);
    toggle.focus();
  });

  sheet.addEventListener('submit', (event) => {
    event.preventDefault();
    const key = input.value.trim();
    if (key) void activate(key);
  });
  forget.addEventListener('click', () => {
    storage()?.removeItem(STORAGE_KEY);
    store.update({ apiKey: null });
    queue.setRateLimit(null);
    setText(note, NOTE);
    input.focus();
  });
  keep.addEventListener('change', () => {
    const { apiKey } = store.state;
    if (apiKey && keep.checked) storage()?.setItem(STORAGE_KEY, apiKey);
    else storage()?.removeItem(STORAGE_KEY);
  });

  /** Asks for the key's usage, an unmetered call, and uses the key if the service accepts it. */
  async function activate(apiKey: string): Promise<void> {
    setText(note, 'Asking the service about this key…');
    try {
      const { calls, facts } = await clientFor(apiKey).usage();
      input.value = '';
      store.update({ apiKey, errorMessage: null });
      if (keep.checked) storage()?.setItem(STORAGE_KEY, apiKey);
      queue.setRateLimit(facts);
      setText(
        note,
        `In use: ${facts.plan} plan, ${facts.rateLimit.limit} calls a minute. This month: ${pluralize(calls, 'call')}, $${(facts.periodCostCents / 100).toFixed(3)}.`,
      );
    } catch (error) {
      const { title, advice } = errorMessageFrom(error);
      setText(note, `${title}. ${advice}`);
    }
  }

  const kept = storage()?.getItem(STORAGE_KEY);
  if (kept) {
    keep.checked = true;
    controller.use('service');
    store.update({ apiKey: kept });
    setText(note, 'In use: the key kept in this tab.');
  }

  let wasLimited = false;
  store.subscribe(() => {
    const { engine, apiKey } = store.state;
    const isService = engine === 'service';
    useService.checked = isService;
    byId('key-fields').hidden = !isService;
    forget.hidden = apiKey === null;
    setText(toggle, isService && apiKey ? 'API key in use' : 'Service');
    for (const place of document.querySelectorAll<HTMLElement>('[data-place]')) {
      setText(
        place,
        placeTexts[engine][place.dataset.place as Exclude<keyof typeof placeTexts.device, 'worked'>],
      );
    }
    const seconds = isService ? queue.secondsUntilNextCall : 0;
    setText(
      byId('rate-limit'),
      isService ? describeRateLimit(queue, apiKey, seconds) : placeTexts.device.status,
    );
    if (wasLimited && seconds === 0 && !queue.running) announce('The next call is possible now.');
    wasLimited = seconds > 0;
  });
}

function describeRateLimit({ rateLimit }: RequestQueue, apiKey: string | null, seconds: number): string {
  if (seconds > 0) return `Next call in ${seconds} s`;
  if (!apiKey) return 'Without a key: 1 free call a minute';
  if (rateLimit.limit === 1) return 'With your key';
  const plan = rateLimit.plan.charAt(0).toUpperCase() + rateLimit.plan.slice(1);
  return `${plan} plan: ${rateLimit.remaining} of ${rateLimit.limit} calls left`;
}
