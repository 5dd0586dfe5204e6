import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  FollowedWatches,
  type FollowFigures,
  type FollowOptions,
  type SeenSequence,
} from './followed-watches.ts';
import type { LoadServer } from './load-client.ts';
import { GatewayTurns } from './ready-gateways.ts';

/** The watches of a process; their gateways are told by `use`. */
type ProcessOptions = Omit<FollowOptions, 'servers'> & {
  readonly servers: readonly Omit<LoadServer, 'gateways'>[];
};

type Command = { readonly open: ProcessOptions } | { readonly use: readonly string[] } | 'take' | 'sequences';

interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

/** Followed watches in a process of their own. */
export class WatchProcess implements Disposable {
  readonly #child: ChildProcess = fork(fileURLToPath(import.meta.url), { serialization: 'advanced' });
  #last: Promise<unknown> = Promise.resolve();

  /** Opens all watches; resolves when each was answered. */
  async open(options: ProcessOptions): Promise<void> {
    await this.#ask({ open: options });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Changes the gateways that new connections go to. */
  use(gateways: readonly string[]): void {
    this.#child.send({ use: gateways } satisfies Command);
  }

  /** The figures since the last call. */
  async take(): Promise<FollowFigures> {
    return (await this.#ask('take')) as FollowFigures; // The command decides.
  }

  async sequences(): Promise<SeenSequence[]> {
    return (await this.#ask('sequences')) as SeenSequence[]; // The command decides.
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }

  /** Commands are answered in order. */
  #ask(command: Command): Promise<unknown> {
    const asked = this.#last.then(
      () =>
        new Promise<unknown>((resolve, reject) => {
          const ended = (code: number | null) => reject(new Error(`a process of watches ended with ${code}`));
          this.#child.once('exit', ended);
          this.#child.once('message', ({ value, error }: Answer) => {
            this.#child.off('exit', ended);
            if (error === undefined) resolve(value);
            else reject(new Error(error));
          });
          this.#child.send(command);
        }),
    );
    this.#last = asked.catch(() => {});
    return asked;
  }
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) serve();

function serve(): void {
  const gateways = new GatewayTurns();
  let watches: FollowedWatches | undefined;
  const perform = async (
    command: Exclude<Command, { readonly use: readonly string[] }>,
  ): Promise<unknown> => {
    if (command === 'take') return watches?.take();
    if (command === 'sequences') return watches?.sequences();
    const servers = command.open.servers.map(server => ({ ...server, gateways }));
    watches = new FollowedWatches({ ...command.open, servers });
    return await watches.open();
  };
  process.on('message', (command: Command) => {
    if (typeof command === 'object' && 'use' in command) return gateways.use(command.use);
    perform(command).then(
      value => process.send?.({ value } satisfies Answer),
      error => process.send?.({ error: String(error) } satisfies Answer),
    );
  });
}
