import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { errorMessage } from '@binnacle/status-errors';
import type { ExecPlugin } from '../configuration/exec-plugin.ts';
import { CredentialError } from './credential-error.ts';
import { createExecInfo, type GivenCredentials, parseExecCredential } from './exec-credential.ts';

/** Options of running a plugin. */
interface RunOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whether the plugin may prompt on standard input. */
  readonly isInteractive: boolean;
  /** Whether the plugin's standard error is forwarded to that of this process; otherwise it is dropped. */
  readonly showsMessages: boolean;
}

/** Maximum size of the output, in bytes. */
const maxOutputBytes = 1024 * 1024;

/**
 * Runs a plugin once and parses the credentials that it prints. Throws a CredentialError that names the plugin and does
 * not quote its output.
 */
export async function runExecPlugin(plugin: ExecPlugin, options: RunOptions): Promise<GivenCredentials> {
  try {
    return parseExecCredential(await runPlugin(plugin, options), plugin);
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new CredentialError(`${plugin.where}: ${plugin.command}: ${reason}`, { cause });
  }
}

function runPlugin(plugin: ExecPlugin, options: RunOptions): Promise<Buffer> {
  const { isInteractive, showsMessages, timeoutMs, signal } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const child = spawn(plugin.command, plugin.args, {
    env: { ...process.env, ...plugin.env, ...createExecInfo(plugin, isInteractive) },
    stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', showsMessages ? 'inherit' : 'ignore'],
    windowsHide: true,
  });
  child.on('error', cause => reject(startFailure(cause, plugin)));
  // Undefined if this process has no file descriptor left.
  const stdout: Readable | undefined = child.stdout;
  const parts: Buffer[] = [];
  let size = 0;
  const end = (reason: string): void => {
    reject(new Error(reason));
    child.kill('SIGKILL');
    // Child processes of the plugin may keep the pipe open.
    stdout?.destroy();
  };
  const late = setTimeout(() => end(`no credentials within ${timeoutMs} ms`), timeoutMs);
  const stop = (): void => end('the client is closed');
  signal.addEventListener('abort', stop, { once: true });
  stdout?.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= maxOutputBytes) parts.push(part);
    else end(`the output is larger than ${maxOutputBytes} bytes`);
  });
  child.on('close', (code, killedBy) => {
    if (code === 0) resolve(Buffer.concat(parts));
    else reject(new Error(code === null ? `ended by ${killedBy}` : `ended with exit code ${code}`));
  });
  return promise.finally(() => {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
  });
}

function startFailure(cause: Error, { installHint }: ExecPlugin): Error {
  const code = 'code' in cause ? String(cause.code) : '';
  if (code !== 'ENOENT') return new Error(`cannot be started (${code})`);
  return new Error(`executable not found${installHint ? `\n\n${installHint}` : ''}`);
}
