import { describe, expect, it } from 'vitest';
import { outputFiles } from '../../src/playground/output_files.ts';
import { newPhoto } from '../../src/playground/photo_list.ts';
import type { ListedPhoto, Result } from '../../src/playground/state.ts';

const listed = (folder: string, name: string | null): ListedPhoto => {
  const photo = newPhoto({ file: new File([''], 'x'), folder });
  const result = name === null ? null : ({ name, image: new Blob([name]) } as Result);
  return { ...photo, kept: { ...photo.kept, result } };
};

describe('files that are saved', () => {
  it('are the clean ones, in their folders, under names that no other has on any system', () => {
    const photos = [
      listed('', 'a.jpg'),
      listed('', null),
      listed('', 'A.JPG'),
      listed('trip/', 'a.jpg'),
      listed('', 'a-2.jpg'),
      listed('', 'a.jpg'),
      listed('', 'noextension'),
      listed('', 'noextension'),
    ];
    expect(outputFiles(photos).map(({ path }) => path)).toEqual([
      'a.jpg',
      'A-2.JPG',
      'trip/a.jpg',
      'a-2-2.jpg',
      'a-3.jpg',
      'noextension',
      'noextension-2',
    ]);
  });
});
