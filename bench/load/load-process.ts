import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { LoadCommand, LoadMessage } from './protocol.ts';

/** The measurements of a load process. */
export type LoadResult = Extract<LoadMessage, { kind: 'done' }>;

/** A process that makes load, so that its own CPU time is not the server's, nor the bench's. */
export class LoadProcess implements Disposable {
  readonly #child: ChildProcess;
  readonly #onProgress: (done: number) => void;
  #opened = Promise.withResolvers<void>();
  #finished = Promise.withResolvers<LoadResult>();

  constructor(onProgress: (done: number) => void = () => {}) {
    this.#onProgress = onProgress;
    this.#child = fork(join(import.meta.dirname, 'worker.ts'), { serialization: 'advanced' });
    this.#child.on('message', message => this.#receive(message as LoadMessage)); // Only the worker sends here.
    this.#child.on('exit', code => this.#fail(new Error(`a load process ended with code ${code}`)));
    this.#opened.promise.catch(() => {});
    this.#finished.promise.catch(() => {});
  }

  /** Starts load and resolves with what was measured when all of it is done. */
  run(command: LoadCommand): Promise<LoadResult> {
    this.#finished = Promise.withResolvers();
    this.#child.send(command);
    return this.#finished.promise;
  }

  /** Opens watches and resolves once all are open; they go on until `finish`. */
  watch(command: LoadCommand): Promise<void> {
    this.#opened = Promise.withResolvers();
    this.#finished = Promise.withResolvers();
    this.#finished.promise.catch(() => {});
    this.#child.send(command);
    return this.#opened.promise;
  }

  /** Leaves the processors to servers and other load whenever they want them, as a client on a machine of its own does. */
  yieldToOthers(): void {
    if (this.#child.pid !== undefined) setPriority(this.#child.pid, constants.priority.PRIORITY_LOW);
  }

  /** Restarts the measurement of the watches' usage, which `finish` returns. */
  measure(): void {
    this.#child.send({ kind: 'measure' } satisfies LoadCommand);
  }

  /** Ends the watches and resolves with what they received. */
  finish(): Promise<LoadResult> {
    this.#child.send({ kind: 'stop' } satisfies LoadCommand);
    return this.#finished.promise;
  }

  [Symbol.dispose](): void {
    this.#child.removeAllListeners('exit');
    this.#child.kill('SIGKILL');
  }

  #receive(message: LoadMessage): void {
    if (message.kind === 'progress') this.#onProgress(message.done);
    else if (message.kind === 'open') this.#opened.resolve();
    else if (message.kind === 'done') this.#finished.resolve(message);
    else this.#fail(new Error(message.message));
  }

  #fail(error: Error): void {
    this.#opened.reject(error);
    this.#finished.reject(error);
  }
}
