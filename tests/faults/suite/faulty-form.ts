import { join } from 'node:path';
import { findFreePort, type ManagedProcess } from '@binnacle/backends';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { Supervisor } from '@binnacle/compose/testing';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';
import { createInjection, type Injection } from '../injections/injection.ts';
import { createSmallDisk, type SmallDisk, smallDisksMissing } from '../injections/small-disk.ts';
import { SteppedClocks, steppedClocksMissing } from '../injections/stepped-clocks.ts';
import { type FaultKind, smallDiskNames } from './plan-faults.ts';

/** Room for everything that a run of hours writes; what is not used takes no memory. */
const smallDiskBytes = 2 * 1024 ** 3;

/** A distributed form to which everything can be done that the plan has. */
export interface FaultyForm extends AsyncDisposable {
  readonly form: Distributed;
  readonly dataDirectory: string;
  /** Kinds of faults that are not possible on this machine. */
  readonly leftOut: ReadonlySet<FaultKind>;
  /** Takes all room from the disk of a process; at the end it has room again and runs. */
  fill(name: string): Injection;
  /** Sets the wall clock of a process ahead, or back where the milliseconds are negative. */
  stepClock(name: string, aheadMs: number): Injection;
}

/** With backends of three or with one of each, and who is told what happens. */
interface FaultyFormOptions {
  readonly ha: boolean;
  readonly log: (line: string) => void;
}

/** Starts the form; processes that end by themselves are started again. What is left out is told by name. */
export async function startFaultyForm({ ha, log }: FaultyFormOptions): Promise<FaultyForm> {
  await using starting = new AsyncDisposableStack();
  const directory = starting.use(await createTemporaryDirectory());
  const dataDirectory = join(directory.path, 'data');
  const leftOut = new Set<FaultKind>();
  const isPossible = (kind: FaultKind, what: string, missing: string | undefined): boolean => {
    if (missing === undefined) return true;
    log(`left out: ${what}: ${missing}`);
    leftOut.add(kind);
    return false;
  };
  const disks = new Map<string, SmallDisk>();
  if (isPossible('fill', 'full disks', smallDisksMissing()))
    for (const name of smallDiskNames({ ha })) {
      const folder = ha ? name : name.replace(/-1$/, '');
      disks.set(name, starting.use(createSmallDisk(join(dataDirectory, folder), smallDiskBytes)));
    }
  const clocks = isPossible('clock', 'steps of clocks', steppedClocksMissing())
    ? new SteppedClocks(join(directory.path, 'clocks'))
    : undefined;
  let supervisor: Supervisor | undefined;
  const early: ManagedProcess[] = [];
  const form = starting.use(
    await startDistributed({
      dataDirectory,
      port: await findFreePort(),
      ha,
      links: ha,
      ...(clocks ? { environmentOf: name => clocks.createEnvironment(name) } : {}),
      onUnexpectedExit(description, managed) {
        log(description);
        if (supervisor) supervisor.ended(managed);
        else early.push(managed);
      },
    }),
  );
  const watching = starting.use(new Supervisor({ report: log }));
  supervisor = watching;
  for (const managed of early) if (!managed.running) watching.ended(managed);
  const started = starting.move();
  return {
    form,
    dataDirectory,
    leftOut,
    fill(name) {
      const disk = disks.get(name);
      if (disk === undefined) throw new Error(`the disk of ${name} cannot be filled`);
      const full = disk.fill();
      return createInjection(`fill the disk of ${name}`, async () => {
        await full.end();
        // Most servers end themselves when they cannot write. The supervisor starts one again that does not start at once, and
        // nothing else may: the second request waits for that.
        const managed = form.process(name);
        await watching.restart(managed).catch(() => watching.restart(managed));
      });
    },
    stepClock(name, aheadMs) {
      if (clocks === undefined) throw new Error('clocks cannot be stepped');
      return clocks.step(name, aheadMs);
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
