import type { ClientConfiguration } from '@binnacle/client';
import type { FlagValues } from '../arguments/flag.ts';
import type { globalFlags } from '../arguments/global-flags.ts';
import { CommandError } from '../output/errors.ts';
import { readKubeconfig } from './kubeconfig.ts';
import { readNamedFile, selectedConfiguration } from './selected-configuration.ts';

/** What a command connects with. */
export interface ChosenConfiguration {
  readonly configuration: ClientConfiguration;
  /** The namespace of the context; `default` where it names none. */
  readonly namespace: string;
  readonly verifiesServer: boolean;
}

/**
 * The server, credentials and namespace for a command: the context of the configuration files, each part of which a flag
 * can replace. A token of the command line replaces the user's token, not a certificate, as in kubectl. Throws a
 * `CommandError` that names what is wrong.
 */
export function configurationFrom(
  flags: FlagValues<typeof globalFlags>,
  env: Readonly<Record<string, string | undefined>>,
): ChosenConfiguration {
  const { context, cluster, user, token, tlsServerName } = flags;
  const selection = { context, cluster, user, hasToken: token !== undefined };
  const selected = selectedConfiguration(readKubeconfig(flags.kubeconfig, env), selection);
  const { namespace = 'default', insecureSkipTlsVerify = false, servers, ...rest } = selected;
  const certificateAuthority =
    flags.certificateAuthority && readNamedFile(flags.certificateAuthority, '--certificate-authority');
  return {
    configuration: {
      ...rest,
      servers: flags.server === undefined ? servers.map(serverAddress) : [serverAddress(flags.server)],
      ...(certificateAuthority && { certificateAuthority }),
      ...(tlsServerName && { tlsServerName }),
      ...(token && { token }),
    },
    namespace,
    verifiesServer: !(flags.insecureSkipTlsVerify || insecureSkipTlsVerify),
  };
}

/** An address without a scheme is one of HTTP, as in kubectl. */
function serverAddress(text: string): string {
  const address = text.includes('://') ? text : `http://${text}`;
  const { protocol } = URL.parse(address) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new CommandError(`"${text}" is not the address of a server`);
  return address;
}
