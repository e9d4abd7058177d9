import { describe, expect, it } from 'vitest';
import { hasPosition } from '../../../src/metadata/values/values.ts';
import { positionFiles } from '../../fixtures/metadata/position_files.ts';
import { valuesOf } from './read.ts';

describe('the place that a file states', () => {
  it.each(positionFiles)('$name', ({ bytes, said }) => {
    const values = valuesOf(bytes)!;
    const [position] = values.place?.positions ?? [];
    expect(hasPosition(values)).toBe(said !== null);
    if (said === null) return;
    if (said === 'unreadable') {
      expect(position).toMatchObject({ unreadable: true });
      expect(position).not.toHaveProperty('latitude');
    } else {
      const [latitude, longitude] = said.map((degrees) => expect.closeTo(degrees, 6));
      expect(position).toMatchObject({ latitude, longitude });
    }
  });
});
