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
  it('are known by their names, escapes resolved', () => {
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

  it('that are unknown are listed together', () => {
    expect(members('image', 'é', 'a\\"b').unknownMembersError()?.message).toContain('"é", "a\\"b"');
  });

  it('may not be duplicate or image_url', () => {
    expect(() => members('ops', 'o\\u0070s')).toThrow('"ops" twice');
    expect(() => members('image_url')).toThrow('never fetched');
  });

  it('with long names are cut, also within an escape', () => {
    expect(members(`${'x'.repeat(253)}\\u0041${'y'.repeat(100_000)}`).latest?.length).toBeLessThan(260);
  });
});
