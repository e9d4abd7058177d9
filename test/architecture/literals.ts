/** What a `/` follows where it begins a regular expression and does not divide. */
const BEFORE_REGEXP = /(?:^|[(,=:[!&|?{};>+]|\breturn)\s*$/;

/**
 * The text of a TypeScript file, line for line, without what its string and template literals hold; a
 * template's `${…}` is part of it. Comments and regular expressions stay as they are.
 */
export function withoutLiterals(text: string): string {
  let out = '';
  let at = 0;
  while (at < text.length) {
    const end = endOfToken(text, at, out);
    const isLiteral = `'"\``.includes(text[at]!);
    out += isLiteral ? `''${'\n'.repeat(text.slice(at, end).split('\n').length - 1)}` : text.slice(at, end);
    at = end;
  }
  return out;
}

/** Where the comment, literal or single character ends that begins here. */
function endOfToken(text: string, at: number, before: string): number {
  const start = text[at]!;
  if (text.startsWith('//', at)) return endOf(text, '\n', at) - 1;
  if (text.startsWith('/*', at)) return endOf(text, '*/', at + 2);
  if (start === "'" || start === '"') return endOfQuoted(text, at);
  if (start === '`') return endOfTemplate(text, at);
  if (start === '/' && BEFORE_REGEXP.test(before.slice(before.lastIndexOf('\n') + 1)))
    return endOfRegExp(text, at);
  return at + 1;
}

function endOf(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found + end.length;
}

function endOfQuoted(text: string, at: number): number {
  let next = at + 1;
  while (next < text.length && text[next] !== text[at]) next += text[next] === '\\' ? 2 : 1;
  return next + 1;
}

function endOfTemplate(text: string, at: number): number {
  let next = at + 1;
  while (next < text.length && text[next] !== '`') {
    if (text.startsWith('${', next)) next = endOfExpression(text, next + 2);
    else next += text[next] === '\\' ? 2 : 1;
  }
  return next + 1;
}

/** Behind the brace that closes a template's expression. */
function endOfExpression(text: string, at: number): number {
  let next = at;
  for (let depth = 1; next < text.length; ) {
    if (text[next] === '{') depth++;
    if (text[next] === '}' && --depth === 0) return next + 1;
    next = endOfToken(text, next, text.slice(at, next));
  }
  return next;
}

function endOfRegExp(text: string, at: number): number {
  let inClass = false;
  let next = at + 1;
  for (; next < text.length && text[next] !== '\n'; next++) {
    if (text[next] === '\\') next++;
    else if (text[next] === '[') inClass = true;
    else if (text[next] === ']') inClass = false;
    else if (text[next] === '/' && !inClass) return next + 1;
  }
  return next;
}
