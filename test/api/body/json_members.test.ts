import { describe, expect, it } from 'vitest';
import { JsonMembers } from '../../../src/api/body/json_members.ts';

function members(...names: string[]): JsonMembers {
  const all = new JsonMembers();
  for (const name of names) all.add(name);
  return all;
}

describe('top-level members', () => {
  it('are known by their names', () => {
    const both = members('image', 'ops');
    expect([both.has('image'), both.has('ops'), both.has('x')]).toEqual([true, true, false]);
    expect(both.unknownMembersError()).toBe(undefined);
  });

  it('that are unknown are listed together', () => {
    expect(members('image', 'é', 'a"b').unknownMembersError()?.message).toContain('"é", "a\\"b"');
  });

  it('may not be duplicate or image_url', () => {
    expect(() => members('ops', 'ops')).toThrow('"ops" twice');
    expect(() => members('x', 'x')).toThrow('"x" twice');
    expect(() => members('image_url')).toThrow('never fetched');
  });

  it('that are unknown are not collected without end', () => {
    const names = Array.from({ length: 20 }, (_, i) => `n${i}`);
    expect(() => members(...names.slice(1))).not.toThrow();
    expect(() => members(...names)).toThrow('"n4" and 15 more');
  });
});
