import { describe, expect, it } from 'vitest';
import { outputFiles, outputName } from '../../../src/playground/photos/output_files.ts';
import { newPhoto } from '../../../src/playground/photos/photo_list.ts';
import type { ListedPhoto, Result } from '../../../src/playground/state.ts';
import { safeName } from '../../../src/safe_name.ts';

const listed = (folder: string, name: string, format: Result['format'] | null = 'jpeg'): ListedPhoto => {
  const photo = newPhoto({ file: new File([''], name), folder });
  const result = format && ({ format, image: new Blob([name]) } as Result);
  return { ...photo, kept: { ...photo.kept, result } };
};

describe('files that are saved', () => {
  it('are the clean ones, and tell nothing of their originals’ names and folders', () => {
    const photos = [
      listed('Clinic 3 May/', 'IMG_20250503_141211.jpg'),
      listed('', 'failed.jpg', null),
      listed('', 'Anna.webp', 'webp'),
    ];
    expect(outputFiles(photos, null).map(({ path }) => path)).toEqual(['photo-1.jpg', 'photo-3.webp']);
    const { image } = photos[2]!.kept.result!;
    expect(outputName(photos, image, null)).toBe('photo-3.webp');
    expect(outputName(photos, image, safeName)).toBe('Anna-clean.webp');
  });

  it('keep names and folders on request, under names that no other has on any system', () => {
    const photos = [
      listed('', 'a.jpg'),
      listed('', 'none.jpg', null),
      listed('', 'A.JPG'),
      listed('trip/', 'a.jpg'),
      listed('', 'a-clean-2.jpg'),
      listed('', 'a.png'),
      listed('v1.2/', 'noextension'),
      listed('v1.2/', 'noextension'),
    ];
    expect(outputFiles(photos, safeName).map(({ path }) => path)).toEqual([
      'a-clean.jpg',
      'A-clean-2.jpg',
      'trip/a-clean.jpg',
      'a-clean-2-clean.jpg',
      'a-clean-3.jpg',
      'v1.2/noextension-clean.jpg',
      'v1.2/noextension-clean-2.jpg',
    ]);
  });

  it('have kept names that Windows takes, and that read as they are written', () => {
    const photos = [listed('con/a<b>/', 'nul\u202Egpj.exe?.jpg'), listed('../', 'CON.jpg')];
    expect(outputFiles(photos, safeName).map(({ path }) => path)).toEqual([
      '_con/a_b_/nul_gpj.exe_-clean.jpg',
      '__/_CON-clean.jpg',
    ]);
  });
});
