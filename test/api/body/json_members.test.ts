import { describe, expect, it } from 'vitest';
import { JsonMembers } from '../../../src/api/body/json_members.ts';
import { utf8 } from './bodies.ts';

function members(...names: string[]): JsonMembers {
  const all = new JsonMembers();
  for (const name of names) {
    for (const byte of utf8(name)) all.appendName(byte);
    all.endName();
  }
  return all;
}

describe('top-level members', () => {
  it('knows the names, as JSON writes them', () => {
    const both = members('im\\u0061ge', 'ops');
    expect([both.has('image'), both.has('ops'), both.has('x'), both.latest]).toEqual([
      true,
      true,
      false,
      'ops',
    ]);
    expect(both.unknownMembersError()).toBe(undefined);
    expect(members().latest).toBe(undefined);
  });

  it('names the unknown ones together', () => {
    expect(members('image', 'é', 'a\\"b').unknownMembersError()?.message).toContain('"é", "a\\"b"');
  });

  it('refuses a name twice, and image_url', () => {
    expect(() => members('ops', 'o\\u0070s')).toThrow('"ops" twice');
    expect(() => members('image_url')).toThrow('never fetched');
  });

  it('keeps a bounded part of a long name, an escape cut in half too', () => {
    expect(members(`${'x'.repeat(253)}\\u0041${'y'.repeat(100_000)}`).latest?.length).toBeLessThan(260);
  });
});
