import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duplicateNames } from '../../src/json/duplicates.ts';

describe('duplicateNames', () => {
  it.each([
    ['{}', []],
    ['1', []],
    ['"a"', []],
    ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}', []],
    ['{"a":"a","b":"\\"a\\":1","c":["a","a"]}', []],
    ['{"a":1,"a":2}', ['a']],
    ['{"a":1,"a":2,"a":3}', ['a']],
    ['{"a":1,"\\u0061":2}', ['a']],
    [' { "a" : { "b" : 1 , "b" : 2 } , "a" : [ ] } ', ['a.b', 'a']],
    ['{"a":[1,{"b":1},[{"c":"]","d":{},"d":"}"}]]}', ['a.2.0.d']],
    ['{"__proto__":1,"__proto__":2,"":1,"":2}', ['__proto__', '']],
    ['{"a\\\\":1,"a\\\\":2}', ['a\\']],
  ])('finds in %s %j', (json, names) => {
    expect(duplicateNames(json)).toEqual(names);
  });

  it('finds none in what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(duplicateNames(JSON.stringify(value, undefined, 1))).toEqual([]);
      }),
      { seed: 16, numRuns: 500 },
    );
  });

  it('finds a repeated member wherever it is', () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(objects, fc.jsonValue(), fc.nat(), (object, value, pick) => {
        const names = Object.keys(object);
        const name = names[pick % names.length]!;
        const text = JSON.stringify(object);
        const twice = `${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
        expect(duplicateNames(`[${twice}]`)).toEqual([`0.${name}`]);
      }),
      { seed: 17, numRuns: 500 },
    );
  });

  it('writes a path once for a name, however deep it lies and however often it is repeated', () => {
    const deep = 30;
    let joined = 0;
    const join = Array.prototype.join;
    Array.prototype.join = function (...args) {
      joined++;
      return join.apply(this, args);
    };
    try {
      const text = `${'['.repeat(deep)}{${'"b":1,'.repeat(20_000)}"b":1}${']'.repeat(deep)}`;
      expect(duplicateNames(text)).toHaveLength(1);
    } finally {
      Array.prototype.join = join;
    }
    expect(joined).toBeLessThan(10);
  });

  it('is done in one pass over a megabyte of text, and reports a few', () => {
    expect(duplicateNames(`[${'{"a":1,"a":2},'.repeat(70_000)}0]`)).toHaveLength(20);
    expect(duplicateNames(`{${'"a":1,'.repeat(170_000)}"b":2}`)).toEqual(['a']);
    expect(duplicateNames('['.repeat(500_000) + ']'.repeat(500_000))).toEqual([]);
    expect(duplicateNames(`"${'\\"'.repeat(500_000)}"`)).toEqual([]);
  });
});
