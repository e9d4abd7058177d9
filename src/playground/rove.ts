type Steps = Readonly<Record<string, number>>;

/** The steps of a list's keys. */
export const ARROWS: Steps = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  Home: -Infinity,
  End: Infinity,
};

/**
 * Makes a list a single stop of the Tab key: other keys move between its items. The stop keeps its place when
 * the list is rebuilt. Elements inside an item keep their keys.
 * @param selector of the items
 * @param steps by key; left and right arrows follow the direction of the text
 */
export function rove(list: HTMLElement, selector = 'button', steps: Steps = ARROWS): void {
  let at = 0;
  const settle = () => {
    const items = [...list.querySelectorAll<HTMLElement>(selector)];
    at = Math.max(0, Math.min(at, items.length - 1));
    for (const [index, item] of items.entries()) item.tabIndex = index === at ? 0 : -1;
    return items;
  };
  list.addEventListener('focusin', ({ target }) => {
    const index = settle().findIndex((item) => item.contains(target as Node));
    if (index >= 0) at = index;
    settle();
  });
  list.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    const isMirrored = isSideways && getComputedStyle(list).direction === 'rtl';
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!target.matches(selector)) return;
    event.preventDefault();
    at += isMirrored ? -step : step;
    settle()[at]?.focus();
  });
  new MutationObserver(settle).observe(list, { childList: true });
}

/** The elements of a row that can take the focus once the row is entered. */
const fieldsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>('button, select, summary, input')];

/**
 * Lets Enter and F2 move from a row to its fields, and Escape back; the Tab key skips the fields of rows that
 * are not entered. As in the grid pattern of the ARIA Authoring Practices.
 * @param selector of the rows, between which `rove` moves
 */
export function enterRows(list: HTMLElement, selector: string): void {
  const rowOf = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<HTMLElement>(selector) : null;
  const settle = (entered: Element | null) => {
    for (const row of list.querySelectorAll(selector))
      for (const field of fieldsOf(row)) field.tabIndex = row === entered ? 0 : -1;
  };
  list.addEventListener('focusin', ({ target }) => {
    const row = rowOf(target);
    settle(row === target ? null : row);
  });
  list.addEventListener('focusout', ({ relatedTarget }) => {
    if (!list.contains(relatedTarget as Node | null)) settle(null);
  });
  list.addEventListener('keydown', (event) => {
    const row = rowOf(event.target);
    const isOnRow = row === event.target;
    if (isOnRow ? event.key !== 'Enter' && event.key !== 'F2' : event.key !== 'Escape') return;
    event.preventDefault();
    (isOnRow ? row && fieldsOf(row)[0] : row)?.focus();
  });
  new MutationObserver(() => settle(null)).observe(list, { childList: true });
}
