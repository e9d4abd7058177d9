import { describe, expect, it } from 'vitest';
import { isoTime } from '../../../src/metadata/values/times.ts';

describe('isoTime', () => {
  it.each([
    ['2024:05:31 17:02:11', '2024-05-31T17:02:11'],
    ['2024-05-31T17:02:11.25Z', '2024-05-31T17:02:11.25Z'],
    ['2024-05-31T17:02+02:00', '2024-05-31T17:02:00+02:00'],
    ['2024/05/31', '2024-05-31'],
    ['2024-05', '2024-05'],
    ['2024', '2024'],
    ['20240531 170211+0200', '2024-05-31T17:02:11+02:00'],
    ['20240531', '2024-05-31'],
    ['2024:05:31 24:61:00', '2024-05-31'],
    [' 2024:05:31 17:02:11 ', '2024-05-31T17:02:11'],
  ])('%j is %s', (text, time) => {
    expect(isoTime(text)).toBe(time);
  });

  it.each([
    '',
    '0000:00:00 00:00:00',
    '    :  :     :  :  ',
    '2024:13:01 00:00:00',
    'yesterday',
    '0000',
    '20240532',
  ])('%j is no time', (text) => {
    expect(isoTime(text)).toBeNull();
  });

  it('takes fraction and offset from where they stand apart, if they are that', () => {
    const text = '2024:05:31 17:02:11';
    expect(isoTime(text, '07', '-09:30')).toBe('2024-05-31T17:02:11.07-09:30');
    expect(isoTime(text, 'x', '  :  ')).toBe('2024-05-31T17:02:11');
    expect(isoTime(`${text}.5+01:00`, '7', '+02:00')).toBe('2024-05-31T17:02:11.5+01:00');
  });
});
