import { SanitizerError } from '../../client/index.ts';
import { byId, el } from './dom.ts';
import type { Store, TroubleShown } from './state.ts';
import { troubles } from './strings.ts';

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Any thrown value in words. */
export function troubleFrom(error: unknown, again?: () => void): TroubleShown {
  const isOurs = error instanceof SanitizerError;
  const code = isOurs ? error.code : 'unexpected_answer';
  const { title, advice } = troubles[code] ?? troubles.unexpected_answer;
  // Of a failed connection the client says no more than the title does.
  const hasWords = isOurs && code !== 'network_error';
  const mayHelp = isOurs && (error.status === 0 || error.status >= 500);
  const issues = isOurs ? error.issues.map(({ path, message }) => `${path}: ${message}`) : [];
  return {
    title,
    message: issues.length > 0 ? issues.join('; ') : hasWords ? asSentence(error.message) : '',
    advice,
    // Only what the service can be asked about.
    requestId: isOurs && error.status >= 500 ? error.requestId : undefined,
    again: mayHelp ? again : undefined,
  };
}

export function showTroubles(store: Store): void {
  const box = byId('trouble');
  let drawn: TroubleShown | null = null;
  store.view(() => {
    const { trouble } = store.state;
    if (trouble === drawn) return;
    drawn = trouble;
    box.hidden = trouble === null;
    if (!trouble) return box.replaceChildren();
    const { title, message, advice, requestId, again } = trouble;
    const buttons = [
      again &&
        el('button', {
          type: 'button',
          textContent: 'Try again',
          onclick: () => {
            store.update({ trouble: null });
            again();
          },
        }),
      el('button', {
        type: 'button',
        textContent: 'Dismiss',
        onclick: () => store.update({ trouble: null }),
      }),
    ];
    box.replaceChildren(
      el(
        'div',
        {},
        el('p', {}, el('strong', { textContent: title })),
        message && el('p', { textContent: message }),
        el('p', { textContent: advice }),
        requestId && el('p', { className: 'note', textContent: `Request ${requestId}` }),
      ),
      el('div', { className: 'buttons' }, ...buttons.map((button) => button ?? null)),
    );
    box.scrollIntoView({ block: 'nearest' });
  });
}
