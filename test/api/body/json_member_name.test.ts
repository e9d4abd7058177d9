import { describe, expect, it } from 'vitest';
import { MemberName } from '../../../src/api/body/json_member_name.ts';
import { utf8 } from './bodies.ts';

function nameOf(...pieces: string[]): MemberName {
  const name = new MemberName();
  for (const piece of ['dropped', ...pieces]) {
    if (piece === pieces[0]) name.begin();
    const bytes = utf8(`<${piece}>`);
    name.append(bytes, 1, bytes.length - 1);
  }
  return name;
}

describe('the name of a member', () => {
  it('is joined of its pieces, escapes resolved', () => {
    expect(nameOf('im', 'age').is('image')).toBe(true);
    expect(nameOf('im\\u0061', 'ge').text).toBe('image');
    const escaped = nameOf('');
    escaped.appendEscape(utf8('n')[0]!);
    escaped.appendByte(0x41);
    expect(escaped.text).toBe('\nA');
  });

  it('is cut where it is long, also within an escape', () => {
    expect(nameOf(`${'x'.repeat(253)}\\u0041${'y'.repeat(100_000)}`).text.length).toBeLessThan(260);
    expect(nameOf('x'.repeat(200), 'y'.repeat(100)).text).toBe('x'.repeat(200) + 'y'.repeat(56));
  });
});
