import { totalmem } from 'node:os';
import { DEFAULT_BUDGET_MB } from './settings.mjs';

/** What a process with pictures may keep resident beyond its budget (docs/capacity.md, Resident memory). */
const BEYOND_BUDGET_MB = 150;
/** The same of the process that counts, and of the front with as many connections as may be open. */
const COUNTING_MB = 100;
const FRONT_MB = 150;
/** The share of a whole machine that `auto` takes: what else runs there needs some. */
const SHARE_OF_MACHINE = 0.8;

const MB = 1024 * 1024;

/**
 * How many processes work on pictures, and what the server will hold.
 * @param {object} asked
 * @param {number | 'auto'} asked.processes
 * @param {string} [asked.budget] MEMORY_BUDGET_MB
 * @param {object} machine
 * @param {number} machine.processors
 * @param {{ mb: number, isLimit: boolean }} machine.memory what there is; whether it is a limit for this
 * server alone
 * @returns {{ processes: number, text: string } | { fault: string }} text and fault in words for people
 */
export function memoryPlan({ processes, budget }, { processors, memory }) {
  const each = Number(budget || DEFAULT_BUDGET_MB) + BEYOND_BUDGET_MB;
  const others = COUNTING_MB + FRONT_MB;
  const own = memory.isLimit ? memory.mb : memory.mb * SHARE_OF_MACHINE;
  const fitting = Math.floor((own - others) / each);
  const count = processes === 'auto' ? Math.max(1, Math.min(processors, fitting)) : processes;
  const all = count * each + others;
  const has = `${memory.isLimit ? 'its limit is' : 'the machine has'} ${Math.floor(memory.mb)} MB`;
  const parts = [
    `${count} × ${each} for pictures (MEMORY_BUDGET_MB and ${BEYOND_BUDGET_MB})`,
    `${COUNTING_MB} to count`,
    `${FRONT_MB} in front`,
  ];
  const text = `Memory: at most ${all} MB: ${parts.join(', ')}; ${has}.`;
  if (all > memory.mb) return { fault: `${text} Lower MEMORY_BUDGET_MB or --processes.` };
  return { processes: count, text };
}

/**
 * The memory that this program and those that it starts can have, in megabytes: that of the machine, or less
 * where a control group limits it.
 */
export function machineMemory() {
  const limit = process.constrainedMemory();
  const total = totalmem();
  const isLimit = limit > 0 && limit < total;
  return { mb: (isLimit ? limit : total) / MB, isLimit };
}
