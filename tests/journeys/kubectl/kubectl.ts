import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { kubectlFile } from '@binnacle/backends';

/** The output of a kubectl command, and how it ended. */
interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is run. */
interface KubectlOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** An unmodified kubectl with one client configuration and a cache of its own. */
export interface Kubectl {
  /** Runs a command and throws with what it printed unless it ended with 0. */
  run(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  /** Runs a command however it ends. */
  attempt(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  /** Starts a command that goes on, and gives its lines as they come. */
  follow(args: readonly string[]): FollowedCommand;
}

/** A kubectl command that goes on. */
interface FollowedCommand extends Disposable {
  readonly lines: readonly string[];
}

/** For programs of Go that run for seconds: they collect garbage less often, which takes up to a third of their processor time. */
export const briefGoSettings = { GOGC: '400' };

/** A kubectl that uses one client configuration, Debian's unless `file` is another. `cacheDirectory` takes its discovery cache. */
export function createKubectl(configuration: string, cacheDirectory: string, file = kubectlFile()): Kubectl {
  const start = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess =>
    spawn(file, ['--cache-dir', cacheDirectory, '--request-timeout=30s', ...args], {
      env: {
        ...process.env,
        ...briefGoSettings,
        KUBECONFIG: configuration,
        HOME: cacheDirectory,
        ...environment,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  const attempt = (args: readonly string[], options: KubectlOptions = {}): Promise<KubectlResult> =>
    new Promise((resolve, reject) => {
      const child = start(args, options.environment);
      let stdout = '';
      let stderr = '';
      child.stdout?.on('data', part => {
        stdout += part;
      });
      child.stderr?.on('data', part => {
        stderr += part;
      });
      child.on('error', reject);
      child.on('close', code => resolve({ code: code ?? -1, stdout, stderr }));
      // A program that reads no input may have ended before it is given any.
      child.stdin?.on('error', () => {}).end(options.input ?? '');
    });
  return {
    attempt,
    async run(args, options) {
      const result = await attempt(args, options);
      if (result.code === 0) return result;
      throw new Error(
        `kubectl ${args.join(' ')} ended with ${result.code}:\n${result.stdout}${result.stderr}`,
      );
    },
    follow(args): FollowedCommand {
      const child = start(
        args.filter(arg => !arg.startsWith('--request-timeout')),
        {},
      );
      const lines: string[] = [];
      for (const stream of [child.stdout, child.stderr]) {
        if (stream) createInterface({ input: stream }).on('line', line => lines.push(line));
      }
      return { lines, [Symbol.dispose]: () => void child.kill('SIGKILL') };
    },
  };
}
