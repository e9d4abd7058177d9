import type { CoreExports } from './exports.ts';

/** One instance's functions: those made so far, and where the others come from. */
interface Functions {
  readonly memory: WebAssembly.Memory;
  readonly table: WebAssembly.Table;
  readonly made: (CallableFunction | undefined)[];
}

/**
 * How the functions of the image core are called by their names. The core exports them in one table
 * (scripts/core/table_exports.mjs), because the runtime makes a function for each export of a new instance:
 * that took most of the instance's time, while a job calls few of them. Here each is made when it is first
 * asked for.
 * @returns what gives an instance's exports
 */
export function tableExports(module: WebAssembly.Module): (instance: WebAssembly.Instance) => CoreExports {
  const [section] = WebAssembly.Module.customSections(module, 'functions');
  const names = new TextDecoder().decode(section).split('\n');
  const byName: PropertyDescriptorMap = {};
  names.forEach((name, index) => {
    byName[name] = {
      enumerable: true,
      get(this: Functions) {
        this.made[index] ??= this.table.get(index) as CallableFunction;
        return this.made[index];
      },
    };
  });
  const prototype = Object.create(null, byName) as object;
  return ({ exports }) => {
    const { memory, functions } = exports;
    const found: object = {
      __proto__: prototype,
      memory,
      table: functions,
      made: new Array<undefined>(names.length),
    };
    return found as unknown as CoreExports;
  };
}
