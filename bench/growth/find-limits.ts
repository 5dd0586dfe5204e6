import type { Limit, WorkResult } from './growth-report.ts';

/** Everything that shows whether the machine was the limit of a work. */
export interface Observed extends Pick<WorkResult, 'loadLoopUtilization' | 'machine' | 'failures'> {
  /** Requests a second; undefined where the rate was not limited. */
  readonly rate: { readonly wanted: number; readonly reached: number } | undefined;
  /** The process of the server that took most, and which part of one processor that was. */
  readonly busiest: { readonly process: string; readonly processors: number };
}

const fullLoop = 0.9;
const fullProcessors = 0.95;
const reachedRate = 0.95;
/** Parts of all processors above which other programs, or the host, limit a work. */
const [muchOfOthers, muchStolen] = [0.1, 0.02];
/** Most processors that a process with one event loop can use. */
const fullProcess = 0.95;

/** The reasons why figures are those of the machine, or of the load, rather than of the server; empty for none. */
export function findLimits(observed: Observed): Limit[] {
  const { loadLoopUtilization, machine, failures } = observed;
  const limits: Limit[] = [];
  const add = (what: string, isOfLoad: boolean) => limits.push({ what, isOfLoad });
  const rate = missedRate(observed);
  if (rate !== undefined) add(rate, true);
  for (const [what, count] of Object.entries(failures)) add(`${count} × ${what}`, true);
  if (loadLoopUtilization >= fullLoop)
    add(`the event loop of the load is busy for ${percent(loadLoopUtilization)} of the time`, false);
  if (machine.busy >= fullProcessors) add(`the processors are busy for ${percent(machine.busy)}`, false);
  if (machine.others >= muchOfOthers) add(`other processes take ${percent(machine.others)}`, false);
  if (machine.stolen >= muchStolen) add(`the host takes ${percent(machine.stolen)}`, false);
  return limits;
}

function missedRate({ rate, machine, busiest }: Observed): string | undefined {
  if (rate === undefined || rate.reached >= rate.wanted * reachedRate) return undefined;
  const missed = `${Math.round(rate.reached)} of ${Math.round(rate.wanted)} requests a second`;
  if (machine.busy >= fullProcessors) return `${missed}: the processors are full`;
  if (busiest.processors >= fullProcess)
    return `${missed}: ${busiest.process} takes ${percent(busiest.processors)} of a processor`;
  return `${missed}: neither the processors nor a process are full`;
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
