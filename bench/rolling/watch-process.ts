import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  FollowedWatches,
  type FollowFigures,
  type FollowOptions,
  type SeenSequence,
} from './followed-watches.ts';

type Command = { readonly open: FollowOptions } | 'take' | 'sequences';

interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

/** Followed watches in a process of their own. */
export class WatchProcess implements Disposable {
  readonly #child: ChildProcess = fork(fileURLToPath(import.meta.url), { serialization: 'advanced' });
  #last: Promise<unknown> = Promise.resolve();

  /** Opens all watches; resolves when each was answered. */
  async open(options: FollowOptions): Promise<void> {
    await this.#ask({ open: options });
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
  let watches: FollowedWatches | undefined;
  const perform = async (command: Command): Promise<unknown> => {
    if (command === 'take') return watches?.take();
    if (command === 'sequences') return watches?.sequences();
    watches = new FollowedWatches(command.open);
    return await watches.open();
  };
  process.on('message', (command: Command) => {
    perform(command).then(
      value => process.send?.({ value } satisfies Answer),
      error => process.send?.({ error: String(error) } satisfies Answer),
    );
  });
}
