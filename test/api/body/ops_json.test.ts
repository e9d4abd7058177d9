import { describe, expect, it } from 'vitest';
import { checkOpsJson, parseOpsJson } from '../../../src/api/body/ops_json.ts';
import { MAX_NESTING } from '../../../src/json/size.ts';

describe('ops as JSON text', () => {
  it('are parsed; blank text means no ops', () => {
    expect(parseOpsJson(' {"a":[1]} ')).toEqual({ a: [1] });
    expect(parseOpsJson('"text"')).toBe('text');
    expect(parseOpsJson(' \n')).toBe(undefined);
    expect(() => parseOpsJson('{"a":}')).toThrow(/^ops is not valid JSON: /);
  });

  it('may not contain image_url as a name at any depth', () => {
    for (const ops of [
      '{"image_url":1}',
      '[{"a":{"image_url":null}}]',
      '{"a":[[{"b":1,"image_url":"x"}]]}',
    ]) {
      expect(() => parseOpsJson(ops)).toThrow('never fetched');
    }
    for (const fine of [undefined, null, 1, 'image_url', ['image_url'], { a: 'image_url' }])
      checkOpsJson(fine);
  });

  it('may name each member once', () => {
    const parse = () => parseOpsJson('{"pixelate":{"faces":true,"faces":false},"pixelate":{}}');
    expect(parse).toThrow('ops holds "pixelate.faces", "pixelate" more than once.');
    try {
      parse();
    } catch (error) {
      expect(error).toMatchObject({
        code: 'invalid_ops',
        extras: { issues: [{ path: 'pixelate.faces', code: 'duplicate_name' }, { path: 'pixelate' }] },
      });
    }
    expect(() => parseOpsJson(`{"a":1,"${'n'.repeat(9000)}":1,"${'n'.repeat(9000)}":2}`)).toThrow(
      /^.{1,100}$/,
    );
  });

  it('may nest up to the limit, which is checked without recursion', () => {
    expect(() => parseOpsJson('['.repeat(MAX_NESTING) + ']'.repeat(MAX_NESTING))).not.toThrow();
    expect(() => parseOpsJson('['.repeat(MAX_NESTING + 2) + ']'.repeat(MAX_NESTING + 2))).toThrow(
      'nested deeper',
    );
    expect(() => parseOpsJson(`${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`)).toThrow('nested deeper');
  });
});
