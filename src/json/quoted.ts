/**
 * The sender's names for a message: quoted, each shortened, at most five, so that the message stays short.
 */
export function quoted(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 40)));
  return shown.join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
}
