import type { Desk, JobKind, Running } from './desk.ts';
import { byId, el, press, setText } from './dom.ts';
import type { Flow } from './flow.ts';
import type { Notice } from './hiding.ts';
import { orderFor } from './ops.ts';
import { WINDOW_MS } from './standing.ts';
import type { Store } from './state.ts';
import { bytesInWords } from './words.ts';

const doing: Record<JobKind, readonly [now: string, later: string]> = {
  inspect: ['Looking inside', 'A look inside'],
  preview: ['Making a copy to show', 'The copy to show'],
  detect: ['Finding faces', 'Finding faces'],
  sanitize: ['Cleaning', 'Cleaning'],
};

const notices: Record<Notice, string> = {
  strength_raised: 'The blocks are made coarser than set, so that no chosen face stays recognisable.',
  all_faces_hidden:
    'A chosen face fills so much of the photo that only the service’s own rule hides it well enough. That rule hides every face, those left out too.',
  only_chosen_faces: 'Only the faces shown as hidden are hidden. Others that the service might find are not.',
  regions_dropped: 'More than 200 regions: those after the first 200 are not hidden.',
};

/** The one button, what is under way, what waits, and what should be known before. */
export function showAction(store: Store, desk: Desk, flow: Flow): void {
  const clean = byId<HTMLButtonElement>('clean');
  const progress = byId('progress');
  const bar = byId<HTMLProgressElement>('progress-bar');
  const text = byId('progress-text');
  const list = byId('notices');
  clean.addEventListener('click', () => flow.sanitize());
  byId('detect').addEventListener('click', () => flow.detect());
  byId('cancel').addEventListener('click', () => {
    desk.cancel();
    clean.focus();
  });
  byId('views').addEventListener('click', ({ target }) => {
    const view = target instanceof HTMLElement ? target.dataset.view : undefined;
    if (view === 'edit' || view === 'result') store.update({ view });
  });

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
      setText(text, `${doing[waiting][1]} starts by itself in ${seconds} s.`);
      bar.value = 1 - (seconds * 1000) / WINDOW_MS;
    }
    const isCleaning = running?.kind === 'sanitize' || waiting === 'sanitize';
    const size = photo?.frame ?? null;
    clean.hidden = isCleaning;
    clean.disabled = size === null;
    setText(clean, cleanWords(desk, result !== null));

    byId('views').hidden = result === null;
    press(byId('views'), 'view', view);
    byId('editing').hidden = view === 'result';
    byId('tools').hidden = byId('add-region').hidden = byId('hint').hidden = view === 'result';

    const said = size ? orderFor(settings, found ?? [], size).plan.notices : [];
    if (list.dataset.said !== said.join()) {
      list.dataset.said = said.join();
      list.replaceChildren(...said.map((notice) => el('li', { textContent: notices[notice] })));
    }
  });
}

function runningInWords({ kind, since, sent, total }: Running): string {
  const [now] = doing[kind];
  if (total > 0 && sent < total) return `${now}: sending, ${bytesInWords(sent)} of ${bytesInWords(total)}`;
  const seconds = Math.round((Date.now() - since) / 1000);
  return seconds > 1 ? `${now}: the service is at work, ${seconds} s` : `${now}…`;
}

function cleanWords({ running, secondsUntilOpen }: Desk, again: boolean): string {
  const words = again ? 'Clean again' : 'Clean the photo';
  return secondsUntilOpen > 0 && !running ? `${words} in ${secondsUntilOpen} s` : words;
}
