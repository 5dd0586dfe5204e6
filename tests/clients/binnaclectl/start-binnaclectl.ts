import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Standalone, startStandalone } from '@binnacle/standalone/testing';
import { runBinnaclectl } from '../../journeys/setup/run-binnaclectl.ts';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';

/** The program under test. */
export const program = resolve(import.meta.dirname, '../../../bin/binnaclectl');

/** The token of a user without rights. */
export const bobsToken = 'token-of-bob';

/** How a run has ended. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A run that is under way. */
export interface Running {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<Ended>;
}

/** How a run is started. */
interface StartOptions {
  /** Of the program. */
  readonly path?: string;
  /** Variables of the environment besides those that every run has. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The program, and a server that it talks to as an administrator. */
export interface Binnaclectl extends AsyncDisposable {
  /** Starts the server, and applies `tour.yaml`: the namespace `tour` with a ConfigMap and a Deployment. */
  begin(): Promise<void>;
  readonly server: Standalone;
  /** A folder of the tests, with `tour.yaml`. */
  readonly folder: string;
  /** Starts the program as users do: a process of its own, in the folder of the tests. */
  start(args: readonly string[], options?: StartOptions): Running;
  /** Runs a command line to its end in this process, which spares what a process takes to start. */
  run(args: readonly string[], input?: string, variables?: Readonly<Record<string, string>>): Promise<Ended>;
  /** The same for one that must end with code 0; gives its output. */
  succeed(args: readonly string[], input?: string): Promise<string>;
  /** Ends a run as Ctrl-C does. */
  interrupt(running: Running): Promise<Ended>;
}

/** Nothing is started before `begin`, so that tests can be registered. */
export function createBinnaclectl(): Binnaclectl {
  const stack = new AsyncDisposableStack();
  let server: Standalone | undefined;
  let folder = '';

  const environment = () => ({
    PATH: process.env['PATH'],
    HOME: folder,
    KUBECONFIG: server?.adminConfiguration,
  });
  const start: Binnaclectl['start'] = (args, { path = program, variables } = {}) => {
    const env = { ...environment(), ...variables };
    const running = follow(spawn(path, args, { cwd: folder, env }));
    stack.defer(() => void running.child.kill('SIGKILL'));
    return running;
  };
  const run: Binnaclectl['run'] = (args, input, variables) =>
    runBinnaclectl(args, {
      env: { ...environment(), ...variables },
      ...(input !== undefined && { input }),
    });
  const succeed: Binnaclectl['succeed'] = async (args, input) => {
    const { code, out, err } = await run(args, input);
    assert.equal(code, 0, `${args.join(' ')}: ${out}${err}`);
    return out;
  };
  return {
    start,
    run,
    succeed,
    async begin() {
      folder = stack.use(await createTemporaryDirectory()).path;
      const tokenAuthFile = join(folder, 'tokens.csv');
      await writeFile(tokenAuthFile, `${bobsToken},bob,u-bob,"crew"\n`);
      server = stack.use(
        await startStandalone({
          dataDir: join(folder, 'data'),
          port: 0,
          tokenAuthFile,
          runtimeConfig: 'authentication.cluster.io/v1alpha1=true',
        }),
      );
      await writeFile(join(folder, 'tour.yaml'), tour);
      await succeed(['apply', '-f', join(folder, 'tour.yaml')]);
    },
    get server() {
      assert.ok(server);
      return server;
    },
    get folder() {
      return folder;
    },
    async interrupt({ child, ended }) {
      child.kill('SIGINT');
      return await ended;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function follow(child: ChildProcess): Running {
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', part => {
    out += part;
  });
  child.stderr?.setEncoding('utf8').on('data', part => {
    err += part;
  });
  const ended = once(child, 'close').then(([code]: unknown[]) => ({
    code: typeof code === 'number' ? code : null,
    out,
    err,
  }));
  return { child, out: () => out, err: () => err, ended };
}

/** A ConfigMap of the namespace `tour`. */
export const configMap = (name: string, data: string, metadata = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: tour${metadata && `, ${metadata}`}}\ndata: ${data}\n`;

const tour = `
apiVersion: v1
kind: Namespace
metadata: {name: tour}
---
${configMap('settings', '{colour: blue, size: large}', 'labels: {tier: front}')}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, namespace: tour, labels: {tier: front}}
spec:
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: {containers: [{name: shop, image: shop}]}
`;

/** A definition of kettles. */
export const definition = `
apiVersion: apiextensions.cluster.io/v1
kind: CustomResourceDefinition
metadata: {name: kettles.shop.example.com}
spec:
  group: shop.example.com
  scope: Namespaced
  names: {plural: kettles, kind: Kettle, shortNames: [kt]}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: [{name: Litres, type: integer, jsonPath: .spec.litres}]
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {litres: {type: integer}}}}
`;
