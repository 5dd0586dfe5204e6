import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '@binnacle/status-errors';
import { unpackDebianPackages } from './debian-packages.ts';
import { withInstallLock } from './install-lock.ts';
import { fetchKafkaArchives, hasKafkaArchives } from './kafka-archives.ts';
import { backendsDirectory, findServerProgram, kubectlFile } from './locations.ts';

interface Backend {
  isInstalled(): boolean;
  install(): Promise<void>;
}

const backends = {
  etcd: {
    isInstalled: () => findServerProgram('etcd', 'etcd') !== undefined,
    install: () => unpackInto('etcd', ['etcd-server']),
  },
  redis: {
    isInstalled: () => findServerProgram('redis', 'redis-server') !== undefined,
    install: () => unpackInto('redis', ['redis-server', 'redis-tools']),
  },
  kubectl: {
    // Another kubectl may be on PATH; the tests are about Debian's.
    isInstalled: () => existsSync(kubectlFile()),
    install: () => unpackInto('kubectl', ['kubernetes-client'], false),
  },
  kafka: {
    isInstalled: hasKafkaArchives,
    install: fetchKafkaArchives,
  },
} satisfies Record<string, Backend>;

/** A program that the tests and the distributed form need and that is not an npm package. */
export type BackendName = keyof typeof backends;

/** Every backend, in the order of their installation. */
export const backendNames = Object.keys(backends) as readonly BackendName[]; // The literal above has no other keys.

/**
 * Makes sure that the named backends (all by default) can be started: etcd and Redis from PATH or Debian's
 * packages, Debian's kubectl, Kafka from Maven's central repository. Does nothing for what is there; two
 * runs at once wait for each other. All failures are collected into one error that names what is missing.
 */
export async function installBackends(
  names: readonly BackendName[] = backendNames,
  report: (line: string) => void = () => {},
): Promise<void> {
  if (names.every(name => backends[name].isInstalled())) return;
  await withInstallLock(backendsDirectory(), async () => {
    const failures: string[] = [];
    for (const name of names) {
      if (backends[name].isInstalled()) continue;
      report(`installing ${name}`);
      try {
        await backends[name].install();
      } catch (error) {
        failures.push(`${name}: ${errorMessage(error)}`);
      }
    }
    if (failures.length > 0) throw new Error(`not every backend could be installed\n${failures.join('\n')}`);
  });
}

function unpackInto(folder: string, packages: readonly string[], withDependencies = true): Promise<void> {
  return unpackDebianPackages({
    packages,
    directory: join(backendsDirectory(), folder),
    withDependencies,
  });
}
