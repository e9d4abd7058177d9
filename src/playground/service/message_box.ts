import { byId, el } from '../dom.ts';
import type { Store } from '../state.ts';
import { currentLanguage, t } from '../texts.ts';

/** Shows the current error, and the files left out, each with buttons to retry and to dismiss it. */
export function showMessages(store: Store): void {
  showMessage(store, byId('error-message'), 'errorMessage');
  showMessage(store, byId('left-out'), 'leftOut');
}

function showMessage(store: Store, box: HTMLElement, name: 'errorMessage' | 'leftOut'): void {
  store.view(
    (state) => [state[name]],
    (errorMessage) => {
      box.hidden = errorMessage === null;
      if (!errorMessage) return box.replaceChildren();
      const { title, message, detail, advice, requestId, retry, actions = [] } = errorMessage;
      // In English the detail is most precise; elsewhere it is shown if there is no text in that language.
      const isEnglish = currentLanguage() === 'en';
      const told = isEnglish && detail ? '' : message;
      const all = [...actions, ...(retry ? [{ label: t('error.retry'), run: retry }] : [])];
      const buttons = [...all, { label: t('error.dismiss'), run: () => undefined }].map(
        ({ label, run }, index) =>
          el('button', {
            type: 'button',
            textContent: label,
            className: index === 0 && all.length > 0 ? 'strong' : '',
            onclick: () => {
              store.update({ [name]: null });
              run();
            },
          }),
      );
      box.replaceChildren(
        el(
          'div',
          {},
          el('p', {}, el('strong', { textContent: title })),
          told && el('p', { textContent: told }),
          detail && !told && el('p', { textContent: detail, lang: 'en', className: isEnglish ? '' : 'note' }),
          el('p', { textContent: advice }),
          requestId && el('p', { className: 'note', textContent: t('error.request', { id: requestId }) }),
        ),
        el('div', { className: 'buttons' }, ...buttons),
      );
      box.scrollIntoView({ block: 'nearest' });
    },
  );
}
