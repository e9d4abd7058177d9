/**
 * Prints a chapter and the head of its table, in the form that docs/measurements/benchmarks.md has:
 * scripts/plots draws both.
 * @param columns names, that of the labels first
 */
export function startTable(chapter: string, columns: readonly string[]): void {
  console.log(`\n## ${chapter}\n\n| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}`);
}

/** Prints a row of it. */
export const tableRow = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
