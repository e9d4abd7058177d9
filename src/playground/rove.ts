/**
 * Makes the buttons of a list one stop of the Tab key: arrow keys, Home and End go from one to the other. The
 * stop stays at its place when the list is made anew.
 */
export function rove(list: HTMLElement): void {
  let at = 0;
  const settle = () => {
    const all = [...list.querySelectorAll('button')];
    at = Math.max(0, Math.min(at, all.length - 1));
    for (const [index, button] of all.entries()) button.tabIndex = index === at ? 0 : -1;
    return all;
  };
  list.addEventListener('focusin', ({ target }) => {
    const index = [...list.querySelectorAll('button')].indexOf(target as HTMLButtonElement);
    if (index >= 0) at = index;
    settle();
  });
  list.addEventListener('keydown', (event) => {
    const forward = getComputedStyle(list).direction === 'rtl' ? -1 : 1;
    const steps = { ArrowRight: forward, ArrowDown: 1, ArrowLeft: -forward, ArrowUp: -1 };
    const step = steps[event.key as keyof typeof steps] ?? { Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    at += step;
    settle()[at]?.focus();
  });
  new MutationObserver(settle).observe(list, { childList: true });
}
