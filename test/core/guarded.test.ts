import { describe, expect, it } from 'vitest';
import { Guarded } from '../../src/core/guarded.ts';
import { createCore } from '../../src/core/instance.ts';
import { decodingFault, OutOfMemoryFault } from '../../src/faults.ts';

const throwing = (error: Error) => () => {
  throw error;
};
const guarded = (core = createCore()) => new Guarded(core, 'JPEG file', 'JPEG');

describe('a guarded core object', () => {
  it('takes a trap for a fault of the file, and memory that cannot grow for a limit', () => {
    const trap = throwing(new WebAssembly.RuntimeError('unreachable'));
    expect(() => guarded().run(trap)).toThrow('The JPEG data is corrupt');
    const grow = throwing(new RangeError('Array buffer allocation failed'));
    expect(() => guarded().run(grow)).toThrow(OutOfMemoryFault);
    expect(() => guarded().run(throwing(new TypeError('a mistake')))).toThrow(TypeError);
  });

  it('runs nothing after a fault, and nothing in a core that was given back', () => {
    const one = guarded();
    expect(one.run(() => 7)).toBe(7);
    const fault = decodingFault('wrong');
    expect(one.drop(fault)).toBe(fault);
    expect(() => one.run(() => 7)).toThrow('This JPEG file was dropped after a fault');
    const core = createCore();
    const other = guarded(core);
    core[Symbol.dispose]();
    expect(() => other.run(() => 7)).toThrow('This JPEG file was closed');
  });

  it('ends a reading when another begins', () => {
    const one = guarded();
    const first = one.reading();
    expect(first(() => 1)).toBe(1);
    expect(one.reading()(() => 2)).toBe(2);
    expect(() => first(() => 1)).toThrow('ended when another one began');
  });
});
