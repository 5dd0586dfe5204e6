import { type ClientConfiguration, loadClientConfiguration } from '@binnacle/client';
import type { FlagValues } from '../arguments/flag.ts';
import type { globalFlags } from '../arguments/global-flags.ts';
import { configurationPaths } from './configuration-paths.ts';

/** Without a cluster, kubectl's address. */
const defaultServer = 'http://localhost:8080';

/**
 * The server, credentials and namespace for a command: the context of the configuration files, each part of which a flag
 * can replace. A token of the command line replaces the user's credentials, not a certificate, as in kubectl. Throws an Error
 * that names what is wrong.
 */
export function configurationFrom(
  flags: FlagValues<typeof globalFlags>,
  env: Readonly<Record<string, string | undefined>>,
): ClientConfiguration {
  const { context, cluster, user } = flags;
  const { server, certificateAuthority, tlsServerName, insecureSkipTlsVerify, token } = flags;
  return loadClientConfiguration(configurationPaths(flags.kubeconfig, env), {
    ...{ context, cluster, user },
    ...{ server, certificateAuthority, tlsServerName, insecureSkipTlsVerify, token },
    defaultServer,
    allowInsecureTls: true,
    allowHttp: true,
  });
}
