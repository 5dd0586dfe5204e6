import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { kubectlFile, type ManagedProcess, pollUntil, startManagedProcess } from '@binnacle/backends';
import { repositoryDirectory } from '../../source-scan/source-files.ts';
import type { CommandBlock } from './command-blocks.ts';

/** Entries of the repository that a clone gets none of: state of its own, and that of git. */
const leftOut: ReadonlySet<string> = new Set(['.binnacle', '.git']);

const blockTimeoutMs = 180_000;
const startTimeoutMs = 180_000;
const stopTimeoutMs = 60_000;

/** The output of commands, and how they ended. */
interface Ended {
  readonly status: number;
  /** Standard output and standard error, as a terminal shows them. */
  readonly output: string;
}

/** A folder that looks like a fresh clone of the repository after its installation, with a home folder beside it. */
export class Clone implements Disposable {
  readonly #parent = mkdtempSync(join(tmpdir(), 'binnacle-clone-'));
  readonly folder = join(this.#parent, 'binnacle');
  readonly home = join(this.#parent, 'home');

  constructor() {
    // A target of the Makefile would install anew in the clone, and so empty the folder of the repository behind the link.
    const modified = (file: string) => statSync(join(repositoryDirectory, file)).mtimeMs;
    const isInstalled = modified('node_modules/.package-lock.json') >= modified('package-lock.json');
    assert.ok(isInstalled, 'package-lock.json is newer than what is installed: run npm ci');
    mkdirSync(this.folder);
    mkdirSync(this.home);
    for (const entry of readdirSync(repositoryDirectory).filter(name => !leftOut.has(name)))
      symlinkSync(join(repositoryDirectory, entry), join(this.folder, entry));
  }

  [Symbol.dispose](): void {
    rmSync(this.#parent, { recursive: true, force: true });
  }
}

/** Options of a terminal. */
interface TerminalOptions {
  readonly clone: Clone;
  /** The folder in which it begins; default: that of the clone. */
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Replaces what differs on this machine in printed commands: ports, addresses. */
  readonly localize: (commands: string) => string;
}

/** A shell in which a reader gives the commands of one document, one block after the other: variables and the folder stay. */
export class Terminal {
  readonly #options: TerminalOptions;
  readonly #state: string;

  constructor(options: TerminalOptions) {
    this.#options = options;
    const { home, folder } = options.clone;
    this.#state = mkdtempSync(join(home, '.terminal-'));
    writeFileSync(join(this.#state, 'environment'), '');
    writeFileSync(join(this.#state, 'directory'), options.folder ?? folder);
  }

  /** Gives the commands of a block and throws where they end otherwise than the document says. */
  async run(block: CommandBlock): Promise<string> {
    const { status, output } = await this.attempt(block.commands);
    const asPrinted = (status !== 0) === (block.outcome === 'fails');
    assert.ok(asPrinted, `${block.file}:${block.line} ended with ${status}:\n${block.commands}\n${output}`);
    return output;
  }

  /** Gives commands, which end at the first that fails; the state stays as it was where one does. */
  async attempt(commands: string): Promise<Ended> {
    const child = spawn('bash', ['-ec', this.#script(commands)], {
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: blockTimeoutMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    child.on('error', reject).on('close', status => resolve(status ?? -1));
    return { status: await promise, output };
  }

  /** Gives the commands of a block that begins a server, and resolves once that says that it is ready. */
  async start(block: CommandBlock): Promise<ManagedProcess> {
    const logFile = join(this.#state, 'server.log');
    writeFileSync(logFile, '');
    return await startManagedProcess({
      name: block.commands.trim(),
      command: 'bash',
      arguments: ['-ec', this.#options.localize(block.commands)],
      environment: this.#environment(),
      workingDirectory: this.#options.clone.folder,
      logFile,
      readyTimeoutMs: startTimeoutMs,
      stopTimeoutMs,
      async ready(signal) {
        const isReady = () => readFileSync(logFile, 'utf8').includes('Binnacle is ready');
        await pollUntil('the line that it is ready', isReady, { signal, timeoutMs: startTimeoutMs });
      },
    });
  }

  #script(commands: string): string {
    const [environment, directory] = ['environment', 'directory'].map(name => join(this.#state, name));
    return [
      `. ${environment}`,
      `cd "$(cat ${directory})"`,
      this.#options.localize(commands),
      `export -p > ${environment}`,
      `pwd > ${directory}`,
    ].join('\n');
  }

  #environment(): Record<string, string | undefined> {
    const { clone, environment } = this.#options;
    const path = [dirname(kubectlFile()), process.env['PATH']].join(delimiter);
    // The documents have the default names, whatever this run of the tests has.
    const removed = { KUBECONFIG: undefined, BINNACLE_API_NAMES: undefined };
    return { ...process.env, ...removed, HOME: clone.home, PATH: path, ...environment };
  }
}
