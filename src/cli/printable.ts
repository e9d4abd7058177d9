/**
 * Characters that a terminal obeys, or that disguise other text: control characters (ECMA-48: C0, DEL, C1),
 * bidirectional controls (UAX #9), line and paragraph separators.
 */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/**
 * Makes one line of text safe to print: names and texts from files can neither forge a line nor send a
 * command to the terminal. Such characters become `\u` and four digits. That also works in JSON, where they
 * only occur in strings and the escape has the same meaning.
 */
export const printable = (text: string): string =>
  text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Several lines, each made safe to print. */
export const printableLines = (lines: readonly string[]): string => `${lines.map(printable).join('\n')}\n`;
