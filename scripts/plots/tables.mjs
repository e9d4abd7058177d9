/**
 * The first table after a heading of a Markdown text, cell by cell; its first column contains labels.
 * @param {string} text
 * @param {string} heading without its marks
 * @returns {{ label: string, cells: string[] }[] | undefined} undefined if there is no such heading
 */
export function tableUnder(text, heading) {
  const from = text.indexOf(`\n## ${heading}\n`);
  if (from < 0) return undefined;
  const chapter = text.slice(from + 1).split('\n## ')[0] ?? '';
  const lines = chapter.split('\n').filter((line) => line.startsWith('|'));
  const end = lines.findIndex((line, i) => i > 1 && /^\|\s*-/.test(line));
  // a second table begins one line above its separator line
  return lines.slice(2, end < 0 ? undefined : end - 1).map((line) => {
    const [label = '', ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { label, cells };
  });
}

/**
 * The number in a cell, or one of several: "123 ms (0.53 ×)" has 123 and 0.53.
 * @param {string | undefined} cell
 */
export function numberIn(cell, which = 0) {
  const text = [...(cell ?? '').matchAll(/\d+(?:\.\d+)?/g)][which]?.[0];
  return text === undefined ? undefined : Number(text);
}
