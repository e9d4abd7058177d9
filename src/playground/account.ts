import { ImageSanitizer } from '../../client/index.ts';
import { announce, byId, setText } from './dom.ts';
import { troubleFrom } from './error_messages.ts';
import type { Desk } from './request_queue.ts';
import type { Store } from './state.ts';
import { counted } from './strings.ts';

const STORED = 'image-sanitizer-key';
const NOTE =
  'A key allows more calls a minute. It stays in this page’s memory and goes nowhere but to this service.';

/** The client for the key in use. A 429 is never waited out here: that is the desk's to show. */
export const clientFor = (key: string | null) =>
  new ImageSanitizer({ baseUrl: '', ...(key && { apiKey: key }), retry: { longestWaitMs: 900 } });

/** Session storage may be switched off; then there is none. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** The key field, and where the caller stands. */
export function showAccount(store: Store, desk: Desk): void {
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
    if (key) void use(key);
  });
  forget.addEventListener('click', () => {
    storage()?.removeItem(STORED);
    store.update({ key: null });
    desk.learn(null);
    setText(note, NOTE);
    input.focus();
  });
  keep.addEventListener('change', () => {
    const { key } = store.state;
    if (key && keep.checked) storage()?.setItem(STORED, key);
    else storage()?.removeItem(STORED);
  });

  /** Asks for the key's usage, which is not metered, and takes the key when the service knows it. */
  async function use(key: string): Promise<void> {
    setText(note, 'Asking the service about this key…');
    try {
      const { calls, facts } = await clientFor(key).usage();
      input.value = '';
      store.update({ key, trouble: null });
      if (keep.checked) storage()?.setItem(STORED, key);
      desk.learn(facts);
      setText(
        note,
        `In use: ${facts.plan} plan, ${facts.rateLimit.limit} calls a minute. This month: ${counted(calls, 'call')}, $${(facts.periodCostCents / 100).toFixed(3)}.`,
      );
    } catch (error) {
      const { title, advice } = troubleFrom(error);
      setText(note, `${title}. ${advice}`);
    }
  }

  const kept = storage()?.getItem(STORED);
  if (kept) {
    keep.checked = true;
    store.update({ key: kept });
    setText(note, 'In use: the key kept in this tab.');
  }

  let wasClosed = false;
  store.view(() => {
    const { key } = store.state;
    forget.hidden = key === null;
    setText(toggle, key ? 'API key in use' : 'API key');
    const seconds = desk.secondsUntilOpen;
    setText(byId('standing'), standingInWords(desk, key, seconds));
    if (wasClosed && seconds === 0 && !desk.running) announce('The next call is possible now.');
    wasClosed = seconds > 0;
  });
}

function standingInWords({ standing }: Desk, key: string | null, seconds: number): string {
  if (seconds > 0) return `Next call in ${seconds} s`;
  if (!key) return 'Without a key: 1 free call a minute';
  if (standing.limit === 1) return 'With your key';
  const plan = standing.plan.charAt(0).toUpperCase() + standing.plan.slice(1);
  return `${plan} plan: ${standing.remaining} of ${standing.limit} calls left`;
}
