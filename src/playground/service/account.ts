import type { Controller } from '../controller.ts';
import { announce, byId, setText } from '../dom.ts';
import { clientFor } from '../engine/service_engine.ts';
import type { Store } from '../state.ts';
import { describePlace, formatCost } from '../strings.ts';
import { t } from '../texts.ts';
import { errorMessageFrom } from './error_message.ts';
import type { RequestQueue } from './request_queue.ts';

/** Key in session storage for the API key, if the person asks to keep it. */
const STORAGE_KEY = 'image-sanitizer-key';

/** Session storage; null if the browser blocks it. */
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
    announce(describePlace(store.state.engine, 'promise'));
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
    setText(note, t('key.note'));
    input.focus();
  });
  keep.addEventListener('change', () => {
    const { apiKey } = store.state;
    if (apiKey && keep.checked) storage()?.setItem(STORAGE_KEY, apiKey);
    else storage()?.removeItem(STORAGE_KEY);
  });

  /** Requests the key's usage, an unmetered call, and uses the key if the service accepts it. */
  async function activate(apiKey: string): Promise<void> {
    setText(note, t('key.asking'));
    try {
      const { calls, facts } = await (await clientFor(apiKey)).usage();
      input.value = '';
      store.update({ apiKey, errorMessage: null });
      if (keep.checked) storage()?.setItem(STORAGE_KEY, apiKey);
      queue.setRateLimit(facts);
      setText(
        note,
        t('key.inUse', {
          plan: facts.plan,
          limit: facts.rateLimit.limit,
          count: calls,
          cost: formatCost(facts.periodCostCents),
        }),
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
    setText(note, t('key.kept'));
  }

  let wasLimited = false;
  store.subscribe(() => {
    const { engine, apiKey } = store.state;
    const isService = engine === 'service';
    useService.checked = isService;
    byId('key-fields').hidden = !isService;
    forget.hidden = apiKey === null;
    setText(toggle, t(isService && apiKey ? 'nav.keyInUse' : 'nav.service'));
    for (const place of document.querySelectorAll<HTMLElement>('[data-place]')) {
      setText(place, describePlace(engine, place.dataset.place as Parameters<typeof describePlace>[1]));
    }
    byId('rate-limit').dataset.engine = engine;
    const seconds = isService ? queue.secondsUntilNextCall : 0;
    setText(
      byId('rate-limit'),
      isService ? describeRateLimit(queue, apiKey, seconds) : describePlace('device', 'status'),
    );
    if (wasLimited && seconds === 0 && !queue.running) announce(t('rate.now'));
    wasLimited = seconds > 0;
  });
}

function describeRateLimit({ callsLeft }: RequestQueue, apiKey: string | null, seconds: number): string {
  if (seconds > 0) return t('rate.wait', { seconds });
  if (!apiKey) return t('rate.none');
  if (callsLeft.limit === 1) return t('rate.keyed');
  const plan = callsLeft.plan.charAt(0).toUpperCase() + callsLeft.plan.slice(1);
  return t('rate.left', { plan, left: callsLeft.remaining, limit: callsLeft.limit });
}
