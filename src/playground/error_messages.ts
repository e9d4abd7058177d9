import { byId, el } from './dom.ts';
import type { ErrorMessage, Store } from './state.ts';
import { t } from './texts.ts';

/** Shows the current error, with buttons to retry and to dismiss it. */
export function showErrorMessage(store: Store): void {
  const box = byId('error-message');
  let rendered: ErrorMessage | null = null;
  store.subscribe(() => {
    const { errorMessage } = store.state;
    if (errorMessage === rendered) return;
    rendered = errorMessage;
    box.hidden = errorMessage === null;
    if (!errorMessage) return box.replaceChildren();
    const { title, message, advice, requestId, retry } = errorMessage;
    const buttons = [
      retry &&
        el('button', {
          type: 'button',
          textContent: t('error.retry'),
          onclick: () => {
            store.update({ errorMessage: null });
            retry();
          },
        }),
      el('button', {
        type: 'button',
        textContent: t('error.dismiss'),
        onclick: () => store.update({ errorMessage: null }),
      }),
    ];
    box.replaceChildren(
      el(
        'div',
        {},
        el('p', {}, el('strong', { textContent: title })),
        message && el('p', { textContent: message }),
        el('p', { textContent: advice }),
        requestId && el('p', { className: 'note', textContent: t('error.request', { id: requestId }) }),
      ),
      el('div', { className: 'buttons' }, ...buttons.map((button) => button ?? null)),
    );
    box.scrollIntoView({ block: 'nearest' });
  });
}
