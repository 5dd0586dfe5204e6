import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ManagedProcess, pollUntil, startManagedProcess } from '@binnacle/backends';
import { writeClientConfiguration } from '@binnacle/client';
import { createKubectl } from '../../journeys/kubectl/kubectl.ts';
import { programDirectory } from '../client-programs.ts';
import type { FormOfTests } from '../client-tours.ts';

const runFile = promisify(execFile);

/** Commands of an administrator, and the operators that it runs. */
export interface OperatorSteps extends AsyncDisposable {
  /** A folder for all that the tests write. */
  readonly directory: string;
  /** Runs kubectl and gives what it prints. */
  output(...args: string[]): Promise<string>;
  /** Runs kubectl, which is refused, and gives what it prints. */
  refusal(input: string, ...args: string[]): Promise<string>;
  /** Applies manifests. */
  apply(input: string, ...args: string[]): Promise<string>;
  /** An object; undefined while it is not there. */
  find<T>(...object: string[]): Promise<T | undefined>;
  /** Waits until an object is there and as it is wanted, and gives it. */
  becomes<T>(object: string[], what: string, isWanted: (object: T) => boolean): Promise<T>;
  /** Waits until an object is gone. */
  isGone(...object: string[]): Promise<void>;
  /** Waits until a check no longer throws. */
  eventually(what: string, check: () => Promise<void>): Promise<void>;
  /** Runs Helm. */
  helm(...args: string[]): Promise<string>;
  /**
   * Starts a program with the token of a service account, in a client configuration that it finds in its environment; those that do
   * not look there name it in their arguments.
   */
  start(program: string, account: `${string}/${string}`, args: readonly string[]): Promise<void>;
  /** The name of the client configuration of a program. */
  configurationPath(program: string): string;
  /** Programs that ended by themselves, and lines in their logs that say that the server refused something. */
  failures(): Promise<string[]>;
}

/** A program of the operators. */
export const operatorProgram = (name: string): string => join(programDirectory('operators'), name);

/** Creates the steps on a form that runs. */
export function createOperatorSteps({ configuration, directory, form }: FormOfTests): OperatorSteps {
  const kubectl = createKubectl(configuration, join(directory, 'operators-cache'));
  const running: ManagedProcess[] = [];
  const ended: string[] = [];
  const configurationPath = (program: string) => join(directory, `${program}.conf`);
  const output = async (...args: string[]) => (await kubectl.run(args)).stdout;
  const find: OperatorSteps['find'] = async (...object) => {
    const text = await output('get', ...object, '--ignore-not-found', '-o', 'json');
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    directory,
    output,
    find,
    configurationPath,
    apply: async (input, ...args) => (await kubectl.run([...args, 'apply', '-f', '-'], { input })).stdout,
    async refusal(input, ...args) {
      const { code, stdout, stderr } = await kubectl.attempt(args, { input });
      if (code === 0) throw new Error(`kubectl ${args.join(' ')} was not refused: ${stdout}`);
      return stderr;
    },
    async becomes<T>(object: string[], what: string, isWanted: (object: T) => boolean): Promise<T> {
      let found: T | undefined;
      await pollUntil(`${object.join(' ')}: ${what}`, async () => {
        found = await find<T>(...object);
        return found !== undefined && isWanted(found);
      }).catch(error => {
        const last = JSON.stringify(found)?.slice(-2000);
        throw new Error([`${error.message}; it is ${last}`, ...ended].join('\n'), { cause: error });
      });
      return found as T; // It was there, or the wait has failed.
    },
    isGone: (...object) =>
      pollUntil(`${object.join(' ')} is gone`, async () => (await find(...object)) === undefined),
    eventually: (what, check) =>
      pollUntil(what, async () => {
        await check();
        return true;
      }),
    async helm(...args) {
      const env = { ...process.env, HOME: directory, KUBECONFIG: configuration };
      return (await runFile(operatorProgram('helm'), args, { env, timeout: 110_000 })).stdout;
    },
    async start(program, account, args) {
      const [namespace = '', name = ''] = account.split('/');
      const own = configurationPath(program);
      const authority = Buffer.from(form.ca);
      await writeClientConfiguration(
        own,
        { servers: form.gateways, certificateAuthority: authority, token: await getToken(namespace, name) },
        { cluster: 'a', user: name },
      );
      const started = await startManagedProcess({
        name: program,
        command: operatorProgram(program),
        arguments: args,
        environment: { KUBECONFIG: own, HOME: directory },
        logFile: join(directory, `${program}.log`),
        onUnexpectedExit: description => ended.push(description),
      });
      running.push(started);
    },
    async failures() {
      const logs = await Promise.all(running.map(({ logFile }) => readFile(logFile, 'utf8')));
      return [...ended, ...logs.flatMap(log => log.split('\n')).filter(line => refused.test(line))];
    },
    async [Symbol.asyncDispose]() {
      for (const program of running) await program.stop();
    },
  };

  async function getToken(namespace: string, account: string): Promise<string> {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
    const input = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} });
    const { stdout } = await kubectl.run(['create', '--raw', path, '-f', '-'], { input });
    return (JSON.parse(stdout) as { status: { token: string } }).status.token;
  }
}

const refused =
  /forbidden|could not find the requested resource|no matches for|[Uu]nauthorized|missing permission/;
