import { describe, expect, it } from 'vitest';
import { detectOpsSchema, inspectOpsSchema, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { validateOps } from '../../src/ops/validate.ts';

function issuesOf(value: unknown) {
  const result = validateOps(sanitizeOpsSchema, value);
  return result.ok ? [] : result.issues;
}

describe('validateOps', () => {
  it('fills in all defaults for absent ops', () => {
    expect(validateOps(sanitizeOpsSchema, undefined)).toEqual({ ok: true, ops: sanitizeOpsSchema.parse({}) });
  });

  it('says what was expected and what was received', () => {
    expect(issuesOf({ pixelate: { strength: 40 } })).toEqual([
      {
        path: 'pixelate.strength',
        message: 'Expected an integer from 1 to 12 but received 40',
        code: 'too_big',
      },
    ]);
    expect(issuesOf({ crop: { x: 0, y: 0, width: 0, height: 1 } })[0]!.message).toBe(
      'Expected a number greater than 0 but received 0',
    );
    expect(issuesOf({ output: { format: 'gif' } })[0]!.message).toBe(
      'Expected one of "jpeg", "png", "webp" but received "gif"',
    );
    expect(issuesOf({ pixelate: { regions: 7 } })[0]!.message).toBe(
      'Expected an array of at most 200 items but received 7',
    );
    expect(issuesOf({ grayscale: 'yes' })[0]!.message).toBe('Expected true or false but received "yes"');
    expect(issuesOf({ pixelate: { regions: [{ x: 0, y: 0, w: 1 }] } })).toEqual([
      {
        path: 'pixelate.regions.0.h',
        message: 'Expected a number greater than 0 but received nothing',
        code: 'required',
      },
    ]);
  });

  it('reports all problems at once', () => {
    const paths = issuesOf({
      crop: { x: -1 },
      pixelate: { strength: 0, padding: 9, foo: 1 },
      output: { quality: 1 },
      extra: 1,
    })
      .map(({ path }) => path)
      .sort();
    expect(paths).toEqual(
      [
        'crop.height',
        'crop.width',
        'crop.x',
        'crop.y',
        'extra',
        'output.quality',
        'pixelate.foo',
        'pixelate.padding',
        'pixelate.strength',
      ].sort(),
    );
  });

  it('lists the known members in the issue for an unknown one', () => {
    const members = Object.keys(sanitizeOpsSchema.shape);
    expect(issuesOf({ blur: true })).toEqual([
      {
        path: 'blur',
        message: `Expected only the members ${members.join(', ')} but received "blur"`,
        code: 'unrecognized_key',
      },
    ]);
    const result = validateOps(inspectOpsSchema, { a: 1 });
    expect(result.ok ? '' : result.issues[0]!.message).toBe(
      'Expected only the members values, thumbnails but received "a"',
    );
  });

  it.each([[null], [[]], ['{}'], [1], [true]])('refuses %j as ops', (value) => {
    const issues = issuesOf(value);
    expect(issues).toHaveLength(1);
    expect(issues[0]!.path).toBe('');
    expect(issues[0]!.message).toMatch(/^Expected an object with (\w+, )*crop, .* but received /);
  });

  it('distinguishes infinity from null, shortens long values and limits the issues', () => {
    expect(issuesOf(JSON.parse('{"pixelate":{"confidence":1e999}}'))[0]!.message).toContain(
      'received Infinity',
    );
    expect(issuesOf({ grayscale: 'x'.repeat(1000) })[0]!.message.length).toBeLessThan(120);
    const flood = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 1]));
    expect(issuesOf(flood)).toHaveLength(100);
  });

  it('treats names of Object.prototype as unknown members', () => {
    expect(issuesOf(JSON.parse('{"__proto__":{"grayscale":true}}')).map(({ path }) => path)).toEqual([
      '__proto__',
    ]);
    expect(issuesOf({ constructor: 1 }).map(({ path }) => path)).toEqual(['constructor']);
  });

  it('refuses a detector called __proto__, which the record of detectors passed over', () => {
    const expected = 'Expected text that matches ^[a-z][a-z0-9-]{0,31}$ but received';
    for (const name of ['__proto__', 'toString', '']) {
      const detectors = JSON.parse(`{${JSON.stringify(name)}:true}`);
      const issue = { message: `${expected} ${JSON.stringify(name)}`, code: 'unrecognized_key' };
      expect(issuesOf({ pixelate: { detectors } })).toEqual([
        { path: `pixelate.detectors.${name}`, ...issue },
      ]);
      const result = validateOps(detectOpsSchema, { detectors });
      expect(result).toEqual({ ok: false, issues: [{ path: `detectors.${name}`, ...issue }] });
    }
    // A word that a detector may have; whether there is one is for whoever has them to say.
    expect(issuesOf({ pixelate: { detectors: { constructor: true } } })).toEqual([]);
  });

  it('says what is expected within what may be true, false or an object, and within a record', () => {
    for (const member of ['plates', 'detectors.people']) {
      const [first, second] = member.split('.') as [string, string?];
      const given = (rule: object) => ({ pixelate: { [first]: second ? { [second]: rule } : rule } });
      const messages = (rule: object) => issuesOf(given(rule)).map(({ message }) => message);
      expect(messages({ padding: 9 })).toEqual(['Expected a number from 1 to 3 but received 9']);
      expect(messages({ pad: 1 })).toEqual([
        'Expected only the members confidence, padding, fill but received "pad"',
      ]);
    }
  });
});
