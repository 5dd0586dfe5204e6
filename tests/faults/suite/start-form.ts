import { join } from 'node:path';
import { findFreePort, type ManagedProcess } from '@binnacle/backends';
import { type Distributed, Supervisor, startDistributed } from '@binnacle/compose';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';

/** A distributed form in a folder of its own, whose processes are started again when they end by themselves. */
export interface SupervisedForm extends AsyncDisposable {
  readonly form: Distributed;
}

/** Starts the form; `ha` is that with backends of three, whose members of etcd can be cut off from each other. */
export async function startForm(ha: boolean, log: (line: string) => void): Promise<SupervisedForm> {
  await using started = new AsyncDisposableStack();
  const directory = started.use(await createTemporaryDirectory());
  let supervisor: Supervisor | undefined;
  const early: ManagedProcess[] = [];
  const form = started.use(
    await startDistributed({
      dataDirectory: join(directory.path, 'data'),
      port: await findFreePort(),
      ha,
      links: ha,
      onUnexpectedExit(description, managed) {
        log(description);
        if (supervisor) supervisor.ended(managed);
        else early.push(managed);
      },
    }),
  );
  supervisor = started.use(new Supervisor({ report: log }));
  for (const managed of early) if (!managed.running) supervisor.ended(managed);
  const all = started.move();
  return { form, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
