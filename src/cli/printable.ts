/**
 * What a terminal obeys or shows as something else than it is: control characters (ECMA-48: C0, DEL, C1),
 * controls of the direction of writing (UAX #9), line and paragraph separators.
 */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/**
 * One line of text that may be printed: names and texts out of files can neither forge a line nor a command
 * to the terminal. Such characters become `\u` and four digits, also in text that is JSON: there they stand
 * in strings alone, and mean the same.
 */
export const printable = (text: string): string =>
  text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Text of several lines, of which each is printed as one. */
export const printableLines = (lines: readonly string[]): string => `${lines.map(printable).join('\n')}\n`;
