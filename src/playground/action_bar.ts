import type { Flow } from './controller.ts';
import { announce, byId, el, press, setText } from './dom.ts';
import type { Notice } from './hiding.ts';
import { orderFor } from './ops.ts';
import type { Desk, JobKind, Running } from './request_queue.ts';
import { WINDOW_MS } from './standing.ts';
import { isStale, type Store } from './state.ts';
import { bytesInWords } from './strings.ts';

const doing: Record<JobKind, readonly [now: string, later: string]> = {
  inspect: ['Looking inside', 'The look inside'],
  preview: ['Making a copy to show', 'Showing it'],
  detect: ['Finding faces', 'Finding faces'],
  sanitize: ['Cleaning', 'Cleaning'],
};

const notices: Record<Notice, string> = {
  strength_raised: 'Blocks are coarser than set: at faces chosen by hand the service takes no second look.',
  all_faces_hidden:
    'One face fills so much of the photo that only hiding every face hides it well enough: those left out are hidden too.',
  only_chosen_faces: 'Only the faces chosen here are hidden; the service looks for no others.',
  regions_dropped: 'More than 200 regions: those after the first 200 are not hidden.',
};

/** The one button, what is under way, what waits, and what should be known before. */
export function showAction(store: Store, desk: Desk, flow: Flow): void {
  const clean = byId<HTMLButtonElement>('clean');
  const detect = byId('detect');
  const progress = byId('progress');
  const bar = byId<HTMLProgressElement>('progress-bar');
  const text = byId('progress-text');
  const list = byId('notices');
  const action = byId('action');
  clean.addEventListener('click', () => flow.sanitize());
  detect.addEventListener('click', () => flow.detect());
  byId('cancel').addEventListener('click', () => {
    desk.cancel();
    clean.focus();
  });
  byId('views').addEventListener('click', ({ target }) => {
    const view = target instanceof HTMLElement ? target.dataset.view : undefined;
    if (view === 'edit' || view === 'result') store.update({ view });
  });

  let said = '';
  store.view(() => {
    const { photo, settings, found, view, result } = store.state;
    const { running, waiting } = desk;
    const isBusy = running !== null || waiting !== null;
    progress.hidden = !isBusy;
    if (running) {
      setText(text, runningInWords(running));
      const isSending = running.total > 0 && running.sent < running.total;
      if (isSending) bar.value = running.sent / running.total;
      else bar.removeAttribute('value');
    } else if (waiting) {
      const seconds = desk.secondsUntilOpen;
      setText(text, `${doing[waiting][1]} starts by itself in ${seconds}\u00a0s.`);
      bar.value = 1 - (seconds * 1000) / WINDOW_MS;
    }
    const doingNow = running ? `${doing[running.kind][0]}.` : waiting ? `${waiting} waits` : '';
    if (doingNow !== said) {
      said = doingNow;
      if (doingNow) announce(running ? doingNow : (text.textContent ?? ''));
    }
    const isCleaning = running?.kind === 'sanitize' || waiting === 'sanitize';
    const size = photo?.frame ?? null;
    clean.hidden = isCleaning || (view === 'result' && !isStale(store.state));
    clean.disabled = size === null;
    setText(clean, withWait(result ? 'Clean again' : 'Clean the photo', desk));
    setText(detect, withWait(found === null ? 'Find faces now' : 'Find fainter faces', desk));

    byId('views').hidden = result === null;
    press(byId('views'), 'view', view);
    byId('editing').hidden = view === 'result';
    action.hidden = clean.hidden && !isBusy;
    byId('tools').hidden = byId('add-region').hidden = byId('hint').hidden = view === 'result';

    const told = size && view === 'edit' ? orderFor(settings, found ?? [], size).plan.notices : [];
    if (list.dataset.told !== told.join()) {
      list.dataset.told = told.join();
      list.replaceChildren(...told.map((notice) => el('li', { textContent: notices[notice] })));
    }
  });
}

function runningInWords({ kind, since, sent, total }: Running): string {
  const [now] = doing[kind];
  if (total > 0 && sent < total) return `${now}: sending, ${bytesInWords(sent)} of ${bytesInWords(total)}`;
  const seconds = Math.round((Date.now() - since) / 1000);
  return seconds > 1 ? `${now}: the service is at work, ${seconds} s` : `${now}…`;
}

/** What a button says: when its call will be made, if not at once. */
function withWait(words: string, { running, secondsUntilOpen }: Desk): string {
  return secondsUntilOpen > 0 && !running ? `${words} in ${secondsUntilOpen}\u00a0s` : words;
}
