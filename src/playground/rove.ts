type Steps = Readonly<Record<string, number>>;

const ARROWS: Steps = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  Home: -Infinity,
  End: Infinity,
};

/** What of an item takes the focus: a button itself, of a row all that is in it. */
const partsOf = (item: HTMLElement) =>
  item.matches('button') ? [item] : [...item.querySelectorAll<HTMLElement>('button, select, summary, input')];

/**
 * Makes a list one stop of the Tab key, or of its rows only one: keys go from one item to the other. The stop
 * stays at its place when the list is made anew.
 * @param selector of the items
 * @param steps by key; arrows to the left and right go the way of the text
 */
export function rove(list: HTMLElement, selector = 'button', steps: Steps = ARROWS): void {
  let at = 0;
  const settle = () => {
    const all = [...list.querySelectorAll<HTMLElement>(selector)].map(partsOf);
    at = Math.max(0, Math.min(at, all.length - 1));
    for (const [index, parts] of all.entries())
      for (const part of parts) part.tabIndex = index === at ? 0 : -1;
    return all;
  };
  list.addEventListener('focusin', ({ target }) => {
    const index = settle().findIndex((parts) => parts.includes(target as HTMLElement));
    if (index >= 0) at = index;
    settle();
  });
  list.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    const isMirrored = isSideways && getComputedStyle(list).direction === 'rtl';
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    // Fields need these keys themselves.
    if (target.matches('select, input')) return;
    event.preventDefault();
    const part = Math.max(0, settle()[at]?.indexOf(target) ?? 0);
    at += isMirrored ? -step : step;
    settle()[at]?.[part]?.focus();
  });
  new MutationObserver(settle).observe(list, { childList: true });
}
