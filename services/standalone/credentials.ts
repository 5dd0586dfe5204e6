import { join } from 'node:path';
import { type ClientConfiguration, writeClientConfiguration } from '@binnacle/client';
import { createPki, loadTls, type Pki } from '@binnacle/service-kit';

/** The clients of a local form that get a certificate. Clients in Java read RSA keys without further libraries. */
const localClients = [
  { name: 'admin', commonName: 'admin', organizations: ['system:masters'], keyType: 'RSA' },
  { name: 'controller-manager', commonName: 'system:cluster-controller-manager' },
] as const;

/** Makes what is missing of the certificates and keys in a data directory. */
export function createLocalPki(dataDirectory: string): Promise<Pki> {
  return createPki(join(dataDirectory, 'pki'), { clients: localClients });
}

/** How one of the local clients reaches a server. */
export async function clientConfigurationOf(
  pki: Pki,
  client: (typeof localClients)[number]['name'],
  server: string,
): Promise<ClientConfiguration> {
  const { ca, cert, key } = await loadTls(pki.clientDirectory(client));
  return { servers: [server], certificateAuthority: ca, clientCertificate: cert, clientKey: key };
}

/** Writes `admin.conf`, the client configuration of an administrator, and returns its path. */
export async function writeAdminConfiguration(
  dataDirectory: string,
  pki: Pki,
  server: string,
): Promise<string> {
  const path = join(dataDirectory, 'admin.conf');
  await writeClientConfiguration(path, await clientConfigurationOf(pki, 'admin', server), {
    cluster: 'binnacle',
    user: 'admin',
  });
  return path;
}
