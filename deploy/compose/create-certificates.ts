import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createPki } from '@binnacle/service-kit';
import { pkiBackends, prepareBackendUsers } from './backend-users.ts';
import { writeContainerBackends } from './container-backends.ts';
import { administrator, controllers, writeConfigurationOf } from './credentials.ts';
import { serviceNames } from './topology.ts';

/**
 * Makes the certificates, keys and passwords of the distributed form in containers. Each kind of secret has a folder of
 * its own, which is a volume of its own, so that a service sees nothing but what it needs.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      directory: { type: 'string', default: '/var/lib/binnacle' },
      /** The address of the load balancer as seen by clients outside. */
      'public-server': { type: 'string', default: 'https://127.0.0.1:6443' },
      /** The address of the load balancer as seen by the controllers. */
      'internal-server': { type: 'string', default: 'https://load-balancer:6443' },
      /** Names of the API server in its certificate, separated by commas. */
      'server-names': { type: 'string', default: 'load-balancer,gateway' },
    },
  });
  const within = (...parts: string[]) => join(values.directory, ...parts);
  const pki = await createPki(within('pki'), {
    serverNames: values['server-names'].split(','),
    clients: [administrator, controllers],
    services: serviceNames,
    backends: pkiBackends,
  });
  await writeContainerBackends(pki, await prepareBackendUsers(pki));
  await copyFile(pki.serviceAccountPublicKeyFile, within('service-account/service-account.pub'));
  await copyFile(pki.serviceAccountKeyFile, within('service-account-signing/service-account.key'));
  for (const [file, server, client] of [
    [within('administrator/admin.conf'), values['public-server'], administrator],
    [within('controllers/controller-manager.conf'), values['internal-server'], controllers],
  ] as const) {
    await writeConfigurationOf(client, { pki, server, file });
  }
}

await main();
