import { join } from 'node:path';
import { serviceUsers } from '@binnacle/api-names';
import { writeClientConfiguration } from '@binnacle/client';
import { createPki, loadTls, type Pki } from '@binnacle/tls';
import { type BackendUsers, pkiBackends, prepareBackendUsers } from './backend-users.ts';
import { serviceNames } from './service-instances.ts';

/** The certificates, keys and client configurations of one distributed form. */
export interface Credentials {
  readonly pki: Pki;
  /** Client configuration of a member of `system:masters`. */
  readonly adminConfiguration: string;
  /** Client configuration of the controllers. */
  readonly controllerConfiguration: string;
  readonly backendUsers: BackendUsers;
}

/** The client that may do everything. */
export const administrator = {
  name: 'admin',
  commonName: 'admin',
  organizations: ['system:masters'],
} as const;

/** The client certificate of the controllers. */
export const controllers = {
  name: 'controller-manager',
  commonName: serviceUsers.controllerManager,
  organizations: [],
} as const;

/** Makes what is missing of the certificates and keys, and writes both client configurations anew. */
export async function prepareCredentials(dataDirectory: string, server: string): Promise<Credentials> {
  const pki = await createPki(join(dataDirectory, 'pki'), {
    clients: [administrator, controllers],
    services: serviceNames,
    backends: pkiBackends,
  });
  const backendUsers = await prepareBackendUsers(pki);
  const adminConfiguration = join(dataDirectory, 'admin.conf');
  const controllerConfiguration = join(dataDirectory, 'controller-manager.conf');
  for (const [file, client] of [
    [adminConfiguration, administrator],
    [controllerConfiguration, controllers],
  ] as const) {
    await writeConfigurationFor(client, { pki, server, file });
  }
  return { pki, adminConfiguration, controllerConfiguration, backendUsers };
}

/** Writes the client configuration of one client, with all certificates in it, so that it works from everywhere. */
export async function writeConfigurationFor(
  client: typeof administrator | typeof controllers,
  { pki, server, file }: { readonly pki: Pki; readonly server: string; readonly file: string },
): Promise<void> {
  const { ca, cert, key } = await loadTls(pki.clientDirectory(client.name));
  await writeClientConfiguration(
    file,
    { servers: [server], certificateAuthority: ca, clientCertificate: cert, clientKey: key },
    { cluster: 'binnacle', user: client.commonName },
  );
}
