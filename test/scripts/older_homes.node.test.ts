import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { olderHomes, withoutIdleBanner } from '../../scripts/package/older_homes.mjs';

const SOURCE = `export const ended: string[] = [];
class Memory {
  constructor(readonly name: string) {}
  [Symbol.dispose]() { ended.push(this.name); }
}
{
  using first = new Memory('first');
  using second = { [Symbol.dispose]: () => ended.push('second') };
}
new Memory('by hand')[Symbol.dispose]();`;

/** What the source has ended, where `Symbol` is as given. */
async function endedWith(symbols: object): Promise<readonly string[]> {
  const { outputFiles } = await build({
    ...olderHomes,
    stdin: { contents: SOURCE, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    globalName: 'result',
  });
  const context: { result?: { ended: readonly string[] } } = { Symbol: symbols } as object;
  runInNewContext(`${outputFiles[0]!.text}\nglobalThis.result = result;`, context);
  return [...context.result!.ended];
}

it('memory is given back where the language has no Symbol.dispose: Node 20.3, Chromium 133, Safari', async () => {
  const without = { for: (name: string) => Symbol.for(name), iterator: Symbol.iterator };
  expect(await endedWith(without)).toEqual(['second', 'first', 'by hand']);
  expect(await endedWith(Symbol)).toEqual(['second', 'first', 'by hand']);
  expect(olderHomes.target).toContain('node20');
});

it('a script that disposes of nothing is without the banner; others are as they were', () => {
  const { js } = olderHomes.banner;
  expect(withoutIdleBanner(`${js}\nlet a=1;\n`)).toBe('let a=1;\n');
  for (const script of [`${js}\na[DISPOSE]();\n`, 'let a=1;\n'])
    expect(withoutIdleBanner(script)).toBe(script);
});
