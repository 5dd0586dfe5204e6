import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { serviceUsers } from '@binnacle/api-names';
import { type ClientConfiguration, writeClientConfiguration } from '@binnacle/client';
import { createPki, loadTls, type Pki } from '@binnacle/tls';

/** The local clients that get a certificate. Clients in Java read RSA keys without further libraries. */
const localClients = [
  { name: 'admin', commonName: 'admin', organizations: ['system:masters'], keyType: 'RSA' },
  { name: 'controller-manager', commonName: serviceUsers.controllerManager },
] as const;

/** Creates the missing certificates and keys in a data directory, for a server that listens at an address. */
export function createLocalPki(dataDirectory: string, bindAddress: string): Promise<Pki> {
  return createPki(join(dataDirectory, 'pki'), {
    clients: localClients,
    serverNames: serverNames(bindAddress),
  });
}

/** The loopback address for each wildcard address. */
const localOf: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/**
 * Lists the names by which clients reach a server, besides the local ones: all those of the machine where it listens at every
 * address.
 */
function serverNames(bindAddress: string): string[] {
  if (!localOf.has(bindAddress)) return [bindAddress];
  const interfaces = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  return [hostname(), ...interfaces.filter(({ scopeid = 0 }) => scopeid === 0).map(({ address }) => address)];
}

/** Creates the URL by which clients on this machine reach a server that listens at an address. */
export function localUrl(bindAddress: string, port: number): string {
  const host = localOf.get(bindAddress) ?? bindAddress;
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Creates the client configuration of a local client. */
export async function createClientConfiguration(
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
  await writeClientConfiguration(path, await createClientConfiguration(pki, 'admin', server), {
    cluster: 'binnacle',
    user: 'admin',
  });
  return path;
}
