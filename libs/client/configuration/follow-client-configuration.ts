import { assertUsablePair, type FollowedFiles } from '@binnacle/backend-access';
import type { ClientConfiguration } from './client-configuration.ts';

/**
 * Reads a client configuration and follows its files: the authorities and the credentials of the result are the latest ones, for the
 * requests that are sent then. Its servers, and a plugin for credentials, are those of the start.
 *
 * `name` says in the log which files changed. Without `files` the configuration is only read.
 */
export async function followClientConfiguration(
  name: string,
  read: () => ClientConfiguration | Promise<ClientConfiguration>,
  files?: FollowedFiles,
): Promise<ClientConfiguration> {
  const first = await read();
  const current = files?.follow(name, {
    first,
    async read() {
      const found = await read();
      const { certificateAuthority: ca, clientCertificate: cert, clientKey: key } = found;
      // A key that does not match its certificate yet is found here.
      assertUsablePair({ ca, cert, key });
      return found;
    },
  });
  if (current === undefined) return first;
  const latest = (field: keyof ClientConfiguration) => ({ enumerable: true, get: () => current()[field] });
  return Object.defineProperties(
    { ...first },
    {
      certificateAuthority: latest('certificateAuthority'),
      clientCertificate: latest('clientCertificate'),
      clientKey: latest('clientKey'),
      token: latest('token'),
      basic: latest('basic'),
    },
  );
}
