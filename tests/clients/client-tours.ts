import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { FormOptions, RunningForm, StartForm } from '../conformance/drivers/running-form.ts';
import { briefGoSettings } from '../journeys/kubectl/kubectl.ts';
import { createTemporaryDirectory } from '../journeys/setup/temporary-directory.ts';
import {
  type ClientProgram,
  clientPrograms,
  foldersOfDefinitions,
  missingTool,
  programDirectory,
} from './client-programs.ts';
import { tourOfKubectl } from './kubectl-tour.ts';
import { tourOfNode } from './node-tour.ts';

const runFile = promisify(execFile);

/** Tours of the Go program that any form is taken on; see `go/main.go`. */
const goTours = [
  'typed',
  'dynamic',
  'metadata',
  'leader',
  'manager',
  'helm',
  'webhooks',
  'openapi',
  'definitions',
  'definition-update',
  'definition-apply',
];
const javaTour = join(import.meta.dirname, 'java/Tour.java');
/** Its compiler and its tour run for seconds: code that is optimized further would take longer than it saves. */
const javaFlags = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
const pythonTour = join(import.meta.dirname, 'python/tour.py');

/** A form that is there while the tests of a `describe` run. */
export interface FormOfTests {
  /** A client configuration with an administrator's certificate. */
  readonly configuration: string;
  /** A client configuration with an administrator's token. */
  readonly tokenConfiguration: string;
  /** A folder for all that the tests write. */
  readonly directory: string;
  /** The form itself. */
  readonly form: RunningForm;
}

/** Has a form started before the tests of a `describe`, once for all, and stopped after them. */
export function formOfTests(startForm: StartForm, flags: FormOptions['flags']): () => FormOfTests {
  const stack = new AsyncDisposableStack();
  let started: FormOfTests | undefined;
  before(async () => {
    const directory = stack.use(await createTemporaryDirectory()).path;
    const dataDirectory = join(directory, 'data');
    const tokenAuthFile = join(directory, 'tokens.csv');
    await mkdir(dataDirectory);
    await writeFile(tokenAuthFile, 'admin-token,admin,u-admin,system:masters\n');
    const form = stack.use(
      await startForm({
        dataDirectory,
        tokenAuthFile,
        flags: { 'allow-loopback-webhooks': 'true', ...flags },
      }),
    );
    const configuration = join(form.dataDirectory, 'admin.conf');
    const tokenConfiguration = join(directory, 'token.conf');
    await writeFile(tokenConfiguration, createConfiguration(form.gateways[0] ?? '', form.ca));
    started = { configuration, tokenConfiguration, directory, form };
  });
  after(() => stack.disposeAsync());
  return () => {
    if (started === undefined) throw new Error('the form has not been started');
    return started;
  };
}

/** Registers the tours that the client programs take of a form. */
export function registerTours(form: () => FormOfTests): void {
  for (const tour of goTours)
    optionalTest('go', `Go: ${tour}`, async () => {
      const folders = tour.startsWith('definition') ? foldersOfDefinitions() : [];
      const { configuration } = form();
      await runTour(form(), goProgram('clients'), [configuration, `go-${tour}`, tour, ...folders]);
    });
  optionalTest('python', "Python's client", () => runPythonTour(form(), 'python'));
  optionalTest('java', 'fabric8', () => {
    const { tokenConfiguration } = form();
    const classPath = join(programDirectory('java'), '*');
    return runTour(form(), 'java', [...javaFlags, '-cp', classPath, javaTour, tokenConfiguration, 'java']);
  });
  test("Node's client", () => tourOfNode({ ...form(), namespace: 'node' }));
  test("Debian's kubectl", () => tourOfKubectl({ ...form(), namespace: 'kubectl' }));
}

/** Registers a test that needs a client program; it is skipped by name where a tool of it is missing. */
export function optionalTest(program: ClientProgram['name'], name: string, take: () => Promise<void>): void {
  const skip = missingTool(clientPrograms[program]);
  test(name, skip === undefined ? {} : { skip }, take);
}

/** A program that is built with Go. */
export function goProgram(name: 'clients' | 'kubectl' | 'kube-state-metrics'): string {
  return join(programDirectory('go'), name);
}

/** Runs the tour of Python's client; `bare-kinds` has it find kinds by their names alone. */
export function runPythonTour(form: FormOfTests, namespace: string, ...parts: 'bare-kinds'[]): Promise<void> {
  const python = join(programDirectory('python'), 'bin/python');
  return runTour(form, python, [pythonTour, form.configuration, namespace, ...parts]);
}

/** Runs a tour to its end; one that fails throws with the last lines that it printed. */
export async function runTour(
  { directory }: FormOfTests,
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  // A HOME of its own: no configuration of the machine, and no cache in it.
  const env = { ...process.env, ...briefGoSettings, HOME: directory, KUBECONFIG: '', ...environment };
  await runFile(file, args, { env, timeout: 110_000 }).catch(
    (error: Error & { stdout?: string; stderr?: string }) => {
      const output = `${error.stdout ?? ''}\n${error.stderr ?? ''}`.trim().split('\n').slice(-30).join('\n');
      throw new Error(`${[file, ...args].join(' ')} failed:\n${output}`);
    },
  );
}

/** A client configuration with a token. */
function createConfiguration(server: string, ca: string): string {
  const authority = Buffer.from(ca).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'a', cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: 'a', user: { token: 'admin-token' } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    'current-context': 'a',
  });
}
