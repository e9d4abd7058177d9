/** The element of the document with this id. @throws Error when the document has none */
export function byId<E extends Element = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}`);
  return element as Element as E;
}

type Content = Node | string | false | null | undefined;

/** A new element with properties and children. */
export function el<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  properties: Partial<Omit<HTMLElementTagNameMap[T], 'style' | 'dataset'>> = {},
  ...children: Content[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  const kept = children.filter((child): child is Node | string => Boolean(child));
  element.append(...kept);
  return element;
}

/** Text that is only written when it differs, so that nothing is announced or laid out twice. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets the pressed one of a group of toggle buttons. @param name of the data attribute */
export function press(group: Element, name: string, value: string): void {
  for (const button of group.querySelectorAll(`[data-${name}]`)) {
    button.setAttribute('aria-pressed', String(button.getAttribute(`data-${name}`) === value));
  }
}

let said = '';

/** Says something to those who hear the page. */
export function announce(text: string): void {
  const announcer = byId('announcer');
  // The same words twice are only heard when they differ.
  said = said === text ? `${text}\u00a0` : text;
  announcer.textContent = said;
}
