import { describe, expect, it } from 'vitest';
import { parseHeaderValue } from '../../../src/api/body/header_value.ts';

const read = (text: string) => {
  const { value, parameters } = parseHeaderValue(text);
  return [value, Object.fromEntries(parameters)];
};

describe('header values with parameters', () => {
  it.each<[string, string, Record<string, string>]>([
    ['application/json', 'application/json', {}],
    [' Application/JSON ;  charset = "UTF-8" ', 'application/json', { charset: 'UTF-8' }],
    ['multipart/form-data; boundary=----a; x=y', 'multipart/form-data', { boundary: '----a', x: 'y' }],
    ['multipart/form-data; Boundary="a;b=\\"c\\\\"', 'multipart/form-data', { boundary: 'a;b="c\\' }],
    [
      'form-data; name="image"; filename="фото 😀.jpg"',
      'form-data',
      { name: 'image', filename: 'фото 😀.jpg' },
    ],
    ['form-data;name=image;filename=a.jpg', 'form-data', { name: 'image', filename: 'a.jpg' }],
    ['form-data; name="a"; name="b"', 'form-data', { name: 'a' }],
    ['form-data; name="image"; filename="C:\\dir\\"', 'form-data', { name: 'image', filename: '' }],
    ['form-data; name="image"; ; filename="a"', 'form-data', { name: 'image' }],
    ['form-data; name=', 'form-data', { name: '' }],
    ['form-data; name', 'form-data', {}],
    ['', '', {}],
    [';', '', {}],
  ])('%j', (text, value, parameters) => {
    expect(read(text)).toEqual([value, parameters]);
  });

  it('are parsed in linear time, hostile text too', () => {
    for (const part of ['; ', ';a="\\', ';a=', ' ', '"', ';a="b"', '\\"']) {
      expect(parseHeaderValue(`x;${part.repeat(200_000)}`).value).toBe('x');
    }
  });
});
