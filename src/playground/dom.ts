/** The document's element with this id. @throws Error if there is none */
export function byId<E extends Element = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}`);
  return element as Element as E;
}

type Content = Node | string | false | null | undefined;

/** A new element with properties and children; falsy children are left out. */
export function el<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  properties: Partial<Omit<HTMLElementTagNameMap[T], 'style' | 'dataset'>> = {},
  ...children: Content[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  const present = children.filter((child): child is Node | string => Boolean(child));
  element.append(...present);
  return element;
}

/** Sets the text only if it differs, to avoid announcements and layout. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Marks one of a group of toggle buttons as pressed.
 * @param name of the data attribute, without `data-`, whose value distinguishes the buttons
 */
export function setPressed(group: Element, name: string, value: string): void {
  for (const button of group.querySelectorAll(`[data-${name}]`)) {
    button.setAttribute('aria-pressed', String(button.getAttribute(`data-${name}`) === value));
  }
}

let lastAnnouncement = '';

/** Announces a text to users of screen readers. */
export function announce(text: string): void {
  const announcer = byId('announcer');
  // Screen readers only announce changes, so a repeated text gets a space that nobody hears.
  lastAnnouncement = lastAnnouncement === text ? `${text}\u00a0` : text;
  announcer.textContent = lastAnnouncement;
}
