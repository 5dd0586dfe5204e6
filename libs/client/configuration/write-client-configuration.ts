import { rename, writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import type { ClientConfiguration } from './client-configuration.ts';

/** Entry names of a written configuration. */
interface ClientConfigurationNames {
  readonly cluster: string;
  readonly user: string;
}

/**
 * Writes a client configuration file for kubectl and `loadClientConfiguration`: the first server, with certificates and
 * keys inline. The file is replaced atomically, and only its owner can read it.
 */
export async function writeClientConfiguration(
  path: string,
  configuration: ClientConfiguration,
  names: ClientConfigurationNames,
): Promise<void> {
  const base64 = (bytes: Buffer): string => bytes.toString('base64');
  const { certificateAuthority, clientCertificate, clientKey, token } = configuration;
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': names.cluster,
    clusters: [
      {
        name: names.cluster,
        cluster: {
          server: configuration.servers[0],
          ...(certificateAuthority && { 'certificate-authority-data': base64(certificateAuthority) }),
        },
      },
    ],
    users: [
      {
        name: names.user,
        user: {
          ...(clientCertificate && { 'client-certificate-data': base64(clientCertificate) }),
          ...(clientKey && { 'client-key-data': base64(clientKey) }),
          ...(token && { token }),
        },
      },
    ],
    contexts: [{ name: names.cluster, context: { cluster: names.cluster, user: names.user } }],
  };
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, stringify(document), { mode: 0o600 });
  await rename(temporary, path);
}
