import { describe, expect, it } from 'vitest';
import { withoutLiterals } from './literals.ts';

describe('literals', () => {
  it.each([
    ['a(\'x\', "y") + `z`;', "a('', '') + '';"],
    ['\'it\\\'s\' + "\\"" + `\\``;', "'' + '' + '';"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in a string is what is tried here
    ['`a ${b({ c: `}` })} d`;', "'';"],
    ['`one\ntwo\nthree`;\nfour', "''\n\n;\nfour"],
    ["// it's\nb = 'c';", "// it's\nb = '';"],
    ["/* it's\n `x` */ 'y'", "/* it's\n `x` */ ''"],
    ["a = /['\"`]/.test('b') / 'c'.length;", "a = /['\"`]/.test('') / ''.length;"],
    ["return /[/']/;\n'x'", "return /[/']/;\n''"],
    ["a / 2 + '/' + b / 3;", "a / 2 + '' + b / 3;"],
  ])('%j', (text, expected) => {
    expect(withoutLiterals(text)).toBe(expected);
  });
});
