import { readFile } from 'node:fs/promises';
import { assertUsablePair } from '@binnacle/backend-access';
import { FlagError, type FlagValues, flagName, readFlagFile } from '@binnacle/flags';
import { errorMessage } from '@binnacle/status-errors';
import { certificatesIn } from '../authentication/certificate-path.ts';
import type { ClientAuthorities } from '../authentication/client-certificate.ts';
import type { authorityFlags, proxyFlags } from '../settings/authenticating-proxy-flags.ts';
import type { gatewayFlags } from '../settings/gateway-flags.ts';
import type { ServingTls } from './secure-context-options.ts';

/** Reads the certificate files that flags name; false for plain HTTP. Throws when they contradict each other. */
export async function servingTlsFromFlags(
  flags: AuthorityFlags & Pick<FlagValues<typeof gatewayFlags>, 'tls' | 'tlsCertFile' | 'tlsPrivateKeyFile'>,
): Promise<ServingTls | false> {
  const { tlsCertFile, tlsPrivateKeyFile } = flags;
  if (!flags.tls) {
    const meaningless = [...proxyFlagsGiven(flags), ...(flags.clientCaFile ? ['--client-ca-file'] : [])];
    if (meaningless.length > 0)
      throw new FlagError(
        `${meaningless.join(', ')} cannot be used with --tls=false: there are no client certificates`,
      );
    return false;
  }
  if (!tlsCertFile || !tlsPrivateKeyFile) {
    throw new FlagError(
      '--tls-cert-file and --tls-private-key-file must be given, or --tls=false behind a load balancer that terminates TLS',
    );
  }
  const [cert, key, authorities] = await Promise.all([
    readFlagFile('tlsCertFile', tlsCertFile, file => readFile(file)),
    readFlagFile('tlsPrivateKeyFile', tlsPrivateKeyFile, file => readFile(file)),
    clientAuthoritiesFromFlags(flags),
  ]);
  try {
    assertUsablePair({ cert, key });
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new FlagError(`--tls-cert-file and --tls-private-key-file cannot be used together: ${reason}`, {
      cause,
    });
  }
  return { cert, key, ...authorities };
}

type AuthorityFlags = FlagValues<typeof authorityFlags & typeof proxyFlags>;

/**
 * Reads the authorities of client certificates that flags name. Throws when a file has no certificate, and when flags
 * contradict each other.
 */
export async function clientAuthoritiesFromFlags(flags: AuthorityFlags): Promise<ClientAuthorities> {
  const { clientCaFile, requestheaderClientCaFile, requestheaderUsernameHeaders } = flags;
  const [first] = proxyFlagsGiven(flags);
  if (first !== undefined && !requestheaderClientCaFile)
    throw new FlagError(
      `${first} needs --requestheader-client-ca-file: headers are accepted only with its certificates`,
    );
  if (first !== undefined && requestheaderUsernameHeaders.length === 0)
    throw new FlagError(`${first} needs --requestheader-username-headers`);
  for (const name of proxyHeaderNames)
    for (const header of flags[name])
      if (!token.test(header))
        throw new FlagError(`--${flagName(name)}: ${header} cannot be the name of a header`);
  const [clientCa, proxyCa] = await Promise.all([
    readAuthorities('clientCaFile', clientCaFile),
    readAuthorities('requestheaderClientCaFile', requestheaderClientCaFile),
  ]);
  return { clientCa, proxyCa };
}

const proxyHeaderNames = [
  'requestheaderUsernameHeaders',
  'requestheaderGroupHeaders',
  'requestheaderExtraHeadersPrefix',
] as const;
/** The name of a header (RFC 9110, section 5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/** The flags of authenticating proxies that are given, as they are written. */
function proxyFlagsGiven(flags: AuthorityFlags): string[] {
  const names = [...proxyHeaderNames, 'requestheaderAllowedNames', 'requestheaderClientCaFile'] as const;
  return names.filter(name => (flags[name]?.length ?? 0) > 0).map(name => `--${flagName(name)}`);
}

async function readAuthorities(name: string, file: string | undefined): Promise<Buffer | undefined> {
  if (!file) return undefined;
  const pem = await readFlagFile(name, file, path => readFile(path));
  const flag = `--${flagName(name)}`;
  let count = 0;
  try {
    count = certificatesIn(pem).length;
  } catch (cause) {
    throw new FlagError(`${flag}: ${file} has a certificate that cannot be read`, { cause });
  }
  if (count === 0) throw new FlagError(`${flag}: ${file} has no certificate`);
  return pem;
}
