import { describe, expect, it } from 'vitest';
import { scan } from '../../../src/metadata/scan.ts';
import { colourSourceOf } from '../../../src/pixels/colour/source.ts';
import { corpusBytes, corpusFiles } from '../../fixtures/corpus.ts';

describe('real files', () => {
  const files = ['jpeg', 'png', 'webp', 'avif', 'tiff', 'gif'].flatMap(corpusFiles);

  it.skipIf(files.length === 0)('all have a name for their colours, and no profile makes an error', () => {
    const found = new Map<string, number>();
    for (const file of files) {
      const bytes = corpusBytes(file);
      const facts = scan(bytes);
      if (!facts) continue;
      const { name, note } = colourSourceOf(facts, bytes);
      expect(name).toMatch(/^\P{C}{1,64}$/u);
      const line = note ? `${name} (${note.text})` : name;
      found.set(line, (found.get(line) ?? 0) + 1);
    }
    console.log(
      [...found]
        .sort((a, b) => b[1] - a[1])
        .map(([line, count]) => `${count} ${line}`)
        .join('\n'),
    );
    expect(found.size).toBeGreaterThan(5);
  });
});
