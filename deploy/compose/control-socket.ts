import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { errorMessage } from '@binnacle/status-errors';

/** The path at which the running distributed form of a data folder takes requests. */
export function controlSocketFile(dataDirectory: string): string {
  return join(dataDirectory, 'run/control.sock');
}

/** Longest name of a process that is looked for. */
const longestName = 100;

/** Milliseconds in which a name has to come. */
const nameTimeoutMs = 5000;

/**
 * Takes requests at a socket that the owner of the data folder alone can open: the name of a process on one line,
 * answered with the outcome. `restart` resolves with the answer, or rejects with a reason for the user.
 */
export async function serveControlSocket(
  file: string,
  restart: (name: string) => Promise<string>,
): Promise<AsyncDisposable> {
  // One that a killed process left: the lock file of the data folder says that no other process listens.
  rmSync(file, { force: true });
  const server = createServer({ allowHalfOpen: true }, socket => {
    void answer(socket, restart).catch(() => socket.destroy());
  });
  server.listen(file);
  await once(server, 'listening');
  chmodSync(file, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      rmSync(file, { force: true });
    },
  };
}

/** Asks the running form of a data folder to restart a process; resolves when that one is ready. */
export async function askToRestart(dataDirectory: string, name: string): Promise<string> {
  const socket = connect(controlSocketFile(dataDirectory));
  await once(socket, 'connect').catch((cause: unknown) => {
    throw new Error(`no distributed form runs on ${dataDirectory}`, { cause });
  });
  socket.end(`${name}\n`);
  const text = await textFrom(socket, Number.POSITIVE_INFINITY);
  if (text === '') throw new Error('the distributed form has ended');
  const [outcome, ...lines] = text.split('\n');
  if (outcome !== 'done') throw new Error(lines.join('\n').trimEnd());
  return lines.join('\n').trimEnd();
}

async function answer(socket: Socket, restart: (name: string) => Promise<string>): Promise<void> {
  socket.setTimeout(nameTimeoutMs, () => socket.destroy());
  const name = (await textFrom(socket, longestName)).trim();
  socket.setTimeout(0);
  const text = await restart(name).then(
    done => `done\n${done}\n`,
    (error: unknown) => `failed\n${errorMessage(error)}\n`,
  );
  socket.end(text);
}

async function textFrom(socket: Socket, most: number): Promise<string> {
  let text = '';
  for await (const piece of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += piece;
    if (text.length > most) throw new Error(`more than ${most} characters came`);
  }
  return text;
}
