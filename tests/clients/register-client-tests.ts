import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { StartForm } from '../conformance/drivers/running-form.ts';
import { registerCustomKubectlJourney } from '../journeys/kubectl/custom-types-journey.ts';
import { createKubectl } from '../journeys/kubectl/kubectl.ts';
import { registerKubectlJourney } from '../journeys/kubectl/kubectl-journey.ts';
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

/** Tours of the Go program; see `go/main.go`. */
const goTours = [
  'typed',
  'dynamic',
  'metadata',
  'leader',
  'manager',
  'helm',
  'openapi',
  'definitions',
  'definition-update',
  'definition-apply',
];
const javaTour = join(import.meta.dirname, 'java/Tour.java');
const pythonTour = join(import.meta.dirname, 'python/tour.py');

/** What a tour begins with. */
export interface TourStart {
  /** A client configuration with an administrator's certificate. */
  readonly configuration: string;
  /** A namespace of its own, which the tour creates. */
  readonly namespace: string;
  /** An empty folder. */
  readonly directory: string;
}

/** Registers the tours and journeys that unmodified clients of Kubernetes take of a form, which is started once for all. */
export function registerClientTests(what: string, startForm: StartForm): void {
  describe(`unmodified clients on ${what}`, () => {
    const stack = new AsyncDisposableStack();
    let configuration = '';
    let tokenConfiguration = '';
    let directory = '';
    before(async () => {
      directory = stack.use(await createTemporaryDirectory()).path;
      const dataDirectory = join(directory, 'data');
      const tokenAuthFile = join(directory, 'tokens.csv');
      await mkdir(dataDirectory);
      await writeFile(tokenAuthFile, 'admin-token,admin,u-admin,system:masters\n');
      const form = stack.use(await startForm({ dataDirectory, tokenAuthFile, flags: {} }));
      configuration = join(dataDirectory, 'admin.conf');
      tokenConfiguration = join(directory, 'token.conf');
      await writeFile(tokenConfiguration, configurationOf(form.gateways[0] ?? '', form.ca));
    });
    after(() => stack.disposeAsync());

    const run = async (file: string, args: readonly string[]): Promise<void> => {
      // A HOME of its own: no configuration of the machine, and no cache in it.
      const env = { ...process.env, HOME: directory, KUBECONFIG: '' };
      await runFile(file, args, { env, timeout: 110_000 }).catch(
        (error: Error & { stdout?: string; stderr?: string }) => {
          const output = `${error.stdout ?? ''}\n${error.stderr ?? ''}`
            .trim()
            .split('\n')
            .slice(-30)
            .join('\n');
          throw new Error(`${file} ${args[2] ?? ''} failed:\n${output}`);
        },
      );
    };
    const reasons = new Map(Object.entries(clientPrograms).map(([name, of]) => [name, missingTool(of)]));
    const optional = ({ name }: Pick<ClientProgram, 'name'>, tour: string, take: () => Promise<void>) => {
      const skip = reasons.get(name);
      test(tour, skip === undefined ? {} : { skip }, take);
    };

    for (const tour of goTours)
      optional(clientPrograms.go, `Go: ${tour}`, async () => {
        const folders = tour.startsWith('definition') ? foldersOfDefinitions() : [];
        await run(join(programDirectory('go'), 'clients'), [configuration, `go-${tour}`, tour, ...folders]);
      });
    optional(clientPrograms.python, "Python's client", () =>
      run(join(programDirectory('python'), 'bin/python'), [pythonTour, configuration, 'python']),
    );
    optional(clientPrograms.java, 'fabric8', () =>
      run('java', ['-cp', join(programDirectory('java'), '*'), javaTour, tokenConfiguration, 'java']),
    );
    test("Node's client", () => tourOfNode({ configuration, namespace: 'node', directory }));
    test("Debian's kubectl", () => tourOfKubectl({ configuration, namespace: 'kubectl', directory }));
    const kubectl = () => createKubectl(configuration, join(directory, 'kubectl-cache'));
    registerKubectlJourney(what, kubectl);
    registerCustomKubectlJourney(what, kubectl);
  });
}

/** A client configuration with a token. */
function configurationOf(server: string, ca: string): string {
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
