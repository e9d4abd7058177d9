import { WINDOW_MS } from '../../vocabulary/vocabulary.ts';
import type { Controller } from '../controller.ts';
import { announce, byId, el, setPressed, setText } from '../dom.ts';
import type { EngineName } from '../engine/engine.ts';
import { isStale, planOf, type Store } from '../state.ts';
import { describeStage } from '../strings.ts';
import { t } from '../texts.ts';
import type { RequestQueue, RunningCall } from './request_queue.ts';

/** The buttons that make calls, the progress of the running or waiting call, and notices about the plan. */
export function showActionBar(store: Store, queue: RequestQueue, controller: Controller): void {
  const clean = byId<HTMLButtonElement>('clean');
  const detect = byId('detect');
  const progress = byId('progress');
  const bar = byId<HTMLProgressElement>('progress-bar');
  const text = byId('progress-text');
  const list = byId('notices');
  const action = byId('action');
  clean.addEventListener('click', () => controller.sanitize());
  detect.addEventListener('click', () => controller.detect());
  byId('cancel').addEventListener('click', () => {
    queue.cancel();
    clean.focus();
  });
  byId('views').addEventListener('click', ({ target }) => {
    const view = target instanceof HTMLElement ? target.dataset.view : undefined;
    if (view === 'edit' || view === 'result') store.update({ view });
  });

  let announced = '';
  store.subscribe(() => {
    const { photo, detectedFaces, view, result, engine } = store.state;
    const { running, waiting } = queue;
    const isBusy = running !== null || waiting !== null;
    progress.hidden = !isBusy;
    if (running) {
      setText(text, describeProgress(running, store.state.engine));
      const { stage, done, total } = running.progress ?? { stage: 'detecting', done: 0, total: 0 };
      if (stage !== 'detecting' && done < total) bar.value = done / total;
      else bar.removeAttribute('value');
    } else if (waiting) {
      const seconds = queue.secondsUntilNextCall;
      setText(text, t(`wait.${waiting}`, { seconds }));
      bar.value = 1 - (seconds * 1000) / WINDOW_MS;
    }
    const activity = running
      ? t('job.announce', { job: t(`job.${running.kind}`) })
      : waiting
        ? `${waiting} waits`
        : '';
    if (activity !== announced) {
      announced = activity;
      if (activity) announce(running ? activity : (text.textContent ?? ''));
    }
    const isCleaning = running?.kind === 'sanitize' || waiting === 'sanitize';
    const size = photo?.size ?? null;
    clean.hidden = isCleaning || (view === 'result' && !isStale(store.state));
    clean.disabled = size === null;
    const seconds = engine === 'service' && !running ? queue.secondsUntilNextCall : 0;
    setText(clean, labelWithWait(t(result ? 'clean.again' : 'clean.first'), seconds));
    setText(detect, labelWithWait(t(detectedFaces === null ? 'detect.now' : 'detect.fainter'), seconds));

    byId('views').hidden = result === null;
    setPressed(byId('views'), 'view', view);
    byId('editing').hidden = view === 'result';
    action.hidden = clean.hidden && !isBusy;
    byId('tools').hidden = byId('add-region').hidden = view === 'result';
  });
  store.view(
    (state) => [state.view === 'edit' ? planOf(state) : null],
    (plan) => {
      const notices = plan?.pixelation.notices ?? [];
      list.replaceChildren(...notices.map((notice) => el('li', { textContent: t(`notice.${notice}`) })));
    },
  );
}

function describeProgress({ kind, startedAt, progress }: RunningCall, engine: EngineName): string {
  const job = t(`job.${kind}`);
  const stage = progress && describeStage(progress);
  if (stage) return t('job.stage', { job, stage });
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  if (seconds <= 1) return t('job.begun', { job });
  return t(engine === 'service' ? 'job.service' : 'job.seconds', { job, seconds });
}

/** A button's label; with the seconds until its call can be made, if not at once. */
const labelWithWait = (label: string, seconds: number) =>
  seconds > 0 ? t('button.wait', { label, seconds }) : label;
