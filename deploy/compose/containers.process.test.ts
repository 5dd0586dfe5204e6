import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { findFreePort, pollUntil, startManagedProcess } from '@binnacle/backends';
import { createPki } from '@binnacle/tls';
import { parse, parseAllDocuments } from 'yaml';
import { controllers, writeConfigurationFor } from './credentials.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Composition {
  readonly services: Readonly<Record<string, { readonly command?: readonly string[] }>>;
}
interface Deployment {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] };
    };
  };
}

test('the controllers accept the flags of their container and of their pod', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-controllers-'));
  const pki = await createPki(join(directory, 'pki'), { clients: [controllers] });
  const file = join(directory, 'controller-manager.conf');
  await writeConfigurationFor(controllers, { pki, server: 'https://127.0.0.1:1', file });
  try {
    const files = { kubeconfig: file, 'service-account-private-key-file': pki.serviceAccountKeyFile };
    for (const args of [containerArguments('controller-manager'), podArguments('controller-manager')]) {
      assert.ok(args.length > 0);
      const port = await findFreePort();
      const running = await startManagedProcess({
        name: 'controller-manager',
        command: process.execPath,
        arguments: [join(root, 'services/controller-manager/main.ts'), ...localArguments(args, files, port)],
        logFile: join(directory, 'log'),
        ready: signal => pollUntil('the controllers to be alive', () => isAlive(port), { signal }),
      });
      await running.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

function containerArguments(name: string): readonly string[] {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as Composition;
  return services[name]?.command ?? [];
}

function podArguments(name: string): readonly string[] {
  const documents = parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`));
  const deployment = documents
    .map(each => each.toJS() as Deployment)
    .find(({ kind }) => kind === 'Deployment');
  return deployment?.spec.template.spec.containers[0]?.args ?? [];
}

/** The flags of a container, with the files and the port of this machine. */
function localArguments(
  args: readonly string[],
  files: Readonly<Record<string, string>>,
  port: number,
): string[] {
  const local = new Map([
    ...Object.entries(files),
    ['operations-host', '127.0.0.1'],
    ['operations-port', String(port)],
  ]);
  return args.map(text => {
    const [, flag = ''] = /^--([^=]+)/.exec(text) ?? [];
    return local.has(flag) ? `--${flag}=${local.get(flag)}` : text;
  });
}

async function isAlive(port: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/livez`)).ok;
}
