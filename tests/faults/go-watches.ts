import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runCommand } from '@binnacle/backends';
import type { ClientConfiguration } from '@binnacle/client';

/** The events that all watches of the program have seen so far. */
export interface GoWatchReport {
  /** For each time that a watch ended: milliseconds until it was answered again. */
  readonly gapsMs: readonly number[];
  /** For each watch, the names of the objects that were added. */
  readonly seen: readonly (readonly string[])[];
  /** How often something else than the end of a connection went wrong. */
  readonly failures: Readonly<Record<string, number>>;
}

/** A program with watches that go on where they were, each on a connection of its own. */
export interface GoWatches extends AsyncDisposable {
  report(): Promise<GoWatchReport>;
}

/** How such a program is started. */
interface GoWatchOptions {
  /** Server, authority and token of the watches. */
  readonly configuration: ClientConfiguration;
  readonly protocol: 'http1' | 'http2';
  /** The collection of each watch. */
  readonly collections: readonly string[];
  /** For the program and its files. */
  readonly directory: string;
}

const source = join(import.meta.dirname, 'go-watches/main.go');

/** Builds and starts the program; resolves when all watches have begun. */
export async function startGoWatches(options: GoWatchOptions): Promise<GoWatches> {
  const { configuration, protocol, collections, directory } = options;
  const program = join(directory, 'go-watches');
  const authority = join(directory, 'go-watches.ca');
  const token = join(directory, 'go-watches.token');
  writeFileSync(authority, configuration.certificateAuthority ?? '');
  writeFileSync(token, configuration.token ?? '', { mode: 0o600 });
  await runCommand('go', ['build', '-o', program, source], { workingDirectory: directory });
  const [server = ''] = configuration.servers;
  const child = spawn(program, [server, authority, token, protocol, ...collections], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.value !== 'ready') throw new Error('the program with watches ended');
  return {
    async report() {
      child.stdin.write('\n');
      return JSON.parse(String((await lines.next()).value)) as GoWatchReport; // The program's own format.
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
