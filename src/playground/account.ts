import { ImageSanitizer } from '../../client/index.ts';
import { announce, byId, setText } from './dom.ts';
import { errorMessageFrom } from './error_messages.ts';
import type { RequestQueue } from './request_queue.ts';
import type { Store } from './state.ts';
import { pluralize } from './strings.ts';

/** Under this name a key is kept in session storage, if the person asks for it. */
const STORAGE_KEY = 'image-sanitizer-key';
const NOTE =
  'A key allows more calls a minute. It stays in this page’s memory and goes nowhere but to this service.';

/**
 * A client that sends this key, or none. It fails on a 429 instead of waiting: the request queue waits and
 * shows for how long.
 */
export const clientFor = (apiKey: string | null) =>
  new ImageSanitizer({ baseUrl: '', ...(apiKey && { apiKey }), retry: { longestWaitMs: 900 } });

/** Session storage; null where the browser blocks it. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** The form for an API key, and the rate limit status in the header. */
export function showAccount(store: Store, queue: RequestQueue): void {
  const sheet = byId<HTMLFormElement>('key-sheet');
  const toggle = byId('key-toggle');
  const input = byId<HTMLInputElement>('key-input');
  const keep = byId<HTMLInputElement>('key-keep');
  const forget = byId('key-forget');
  const note = byId('key-note');

  const open = (isOpen: boolean) => {
    sheet.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) input.focus();
  };
  toggle.addEventListener('click', () => open(Boolean(sheet.hidden)));
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
    store.update({ apiKey: kept });
    setText(note, 'In use: the key kept in this tab.');
  }

  let wasLimited = false;
  store.subscribe(() => {
    const { apiKey } = store.state;
    forget.hidden = apiKey === null;
    setText(toggle, apiKey ? 'API key in use' : 'API key');
    const seconds = queue.secondsUntilNextCall;
    setText(byId('rate-limit'), describeRateLimit(queue, apiKey, seconds));
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
