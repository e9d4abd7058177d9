import { expect, it } from 'vitest';
import { boundaryOf, FormParts } from '../../../src/library/upload/form_parts.ts';

const counted = (text: string, boundary = 'b', piece = text.length) => {
  const parts = new FormParts(boundary);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += piece) parts.add(bytes.subarray(at, at + piece));
  return [parts.count, parts.headerBytes];
};

it.each<[string, string | undefined]>([
  ['multipart/form-data; boundary=----x1', '----x1'],
  ['Multipart/Form-Data;Boundary="a b"', 'a b'],
  ['multipart/form-data; charset=utf-8; boundary=a; boundary=b', 'a'],
  ['multipart/form-data; x="boundary=a; boundary=c"; boundary=b', 'b'],
  ['multipart/form-data', undefined],
  ['multipart/form-data; boundary=', undefined],
  ['multipart/form-data; boundary="a\nb"', undefined],
  [`multipart/form-data; boundary=${'a'.repeat(71)}`, undefined],
])('the boundary of %s', (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary);
});

it('finds no boundary among parameters without values, in time that grows with their number', () => {
  expect(boundaryOf(`multipart/form-data; ${'boundary;'.repeat(20_000)}`)).toBeUndefined();
});

it('counts boundaries and headers, wherever the form is cut', () => {
  const headers = 'Content-Disposition: form-data; name="a"\r\n\r\n';
  const form = `--b\r\n${headers}\r\n--b\r\n${headers}--b \r\n--c\r\n\r\n--\r\n\r\n--b--\r\n`;
  // Headers begin where the boundary ends, within its line.
  const headerBytes = 2 * (2 + headers.length) + ' \r\n--c\r\n\r\n'.length + '--\r\n'.length;
  for (const piece of [1, 2, 3, 7, form.length]) expect(counted(form, 'b', piece)).toEqual([4, headerBytes]);
});

it('counts boundaries behind bare line feeds, and headers that come before the one with the name', () => {
  const form = `--b\n${'a:\n'.repeat(1000)}Content-Disposition: form-data; name="a"\n\nx\n--b--`;
  const [count, headerBytes] = counted(form);
  expect(count).toBe(2);
  expect(headerBytes).toBeGreaterThan(3000);
});

it('finds a boundary that begins within what looked like one', () => {
  expect(counted('--b\r\n\r\n\n\n-\n--\r\n--b--')[0]).toBe(2);
});
