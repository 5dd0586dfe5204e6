import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFlag, parseProgramFlags, stringFlag } from '@binnacle/flags';
import { errorMessage } from '@binnacle/status-errors';
import { createPki } from '@binnacle/tls';
import { pkiBackends, prepareBackendUsers } from './backend-users.ts';
import { writeContainerBackends } from './container-backends.ts';
import { administrator, controllers, writeConfigurationFor } from './credentials.ts';
import { serviceNames } from './service-instances.ts';

const flags = {
  directory: stringFlag({
    description: 'Folder that everything is written into.',
    default: '/var/lib/binnacle',
  }),
  publicServer: stringFlag({
    description: 'Address of the load balancer as seen by clients outside.',
    default: 'https://127.0.0.1:6443',
  }),
  internalServer: stringFlag({
    description: 'Address of the load balancer as seen by the controllers.',
    default: 'https://load-balancer:6443',
  }),
  serverNames: listFlag({
    description: 'Names of the API server in its certificate.',
    default: ['load-balancer', 'gateway'],
  }),
};

/**
 * Makes the certificates, keys and passwords of the distributed form in containers. Each kind of secret has a folder of
 * its own, which is a volume of its own, so that a service sees nothing but what it needs.
 */
async function main(): Promise<void> {
  const { directory, publicServer, internalServer, serverNames } = parseProgramFlags(flags);
  const within = (...parts: string[]) => join(directory, ...parts);
  const pki = await createPki(within('pki'), {
    serverNames: serverNames,
    clients: [administrator, controllers],
    services: serviceNames,
    backends: pkiBackends,
  });
  await writeContainerBackends(pki, await prepareBackendUsers(pki));
  await copyFile(pki.serviceAccountPublicKeyFile, within('service-account/service-account.pub'));
  await copyFile(pki.serviceAccountKeyFile, within('service-account-signing/service-account.key'));
  for (const [file, server, client] of [
    [within('administrator/admin.conf'), publicServer, administrator],
    [within('controllers/controller-manager.conf'), internalServer, controllers],
  ] as const) {
    await writeConfigurationFor(client, { pki, server, file });
  }
}

try {
  await main();
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}
