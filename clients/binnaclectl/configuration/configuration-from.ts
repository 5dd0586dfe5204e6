import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ClientConfiguration } from '@binnacle/client';
import type { FlagValues } from '../arguments/flag.ts';
import type { globalFlags } from '../arguments/global-flags.ts';
import { CommandError } from '../output/errors.ts';
import { type ConfigurationEntry, readKubeconfig } from './kubeconfig.ts';

/** What a command connects with. */
export interface ChosenConfiguration {
  readonly configuration: ClientConfiguration;
  /** The namespace of the context; `default` where it names none. */
  readonly namespace: string;
  readonly verifiesServer: boolean;
}

/** Without a configuration, kubectl's address. */
const defaultServer = 'http://localhost:8080';

/**
 * The server, credentials and namespace for a command: the context of the configuration files, each part of which a flag
 * can replace. Throws a `CommandError` that names the entry at fault.
 */
export function configurationFrom(
  flags: FlagValues<typeof globalFlags>,
  env: Readonly<Record<string, string | undefined>>,
): ChosenConfiguration {
  const { contexts, clusters, users, currentContext } = readKubeconfig(flags.kubeconfig, env);
  const contextName = flags.context ?? currentContext;
  const context = contextName === '' ? undefined : named(contexts, 'context', contextName);
  const clusterName = flags.cluster ?? textIn(context, 'cluster');
  const userName = flags.user ?? textIn(context, 'user');
  const cluster = clusterName ? named(clusters, 'cluster', clusterName) : undefined;
  const user = userName ? named(users, 'user', userName) : undefined;
  return {
    configuration: { ...clusterPart(cluster, flags), ...userPart(user, flags) },
    namespace: textIn(context, 'namespace') || 'default',
    verifiesServer: !(flags.insecureSkipTlsVerify || cluster?.content['insecure-skip-tls-verify'] === true),
  };
}

function clusterPart(
  cluster: ConfigurationEntry | undefined,
  flags: FlagValues<typeof globalFlags>,
): ClientConfiguration {
  const server = serverAddress(flags.server ?? textIn(cluster, 'server') ?? defaultServer);
  const certificateAuthority =
    flags.certificateAuthority === undefined
      ? material(cluster, 'certificate-authority')
      : readNamed(flags.certificateAuthority, '--certificate-authority');
  const tlsServerName = flags.tlsServerName ?? textIn(cluster, 'tls-server-name');
  return {
    servers: [server],
    ...(certificateAuthority && { certificateAuthority }),
    ...(tlsServerName !== undefined && { tlsServerName }),
  };
}

/** A token of the command line replaces the user's token, not a certificate, as in kubectl. */
function userPart(user: ConfigurationEntry | undefined, { token: given }: FlagValues<typeof globalFlags>) {
  if (given === undefined) refuseUnsupported(user);
  const clientCertificate = material(user, 'client-certificate');
  const clientKey = material(user, 'client-key');
  const token = given ?? tokenOf(user);
  return {
    ...(clientCertificate && { clientCertificate }),
    ...(clientKey && { clientKey }),
    ...(token && { token }),
  };
}

function refuseUnsupported(user: ConfigurationEntry | undefined): void {
  for (const field of ['exec', 'auth-provider', 'username']) {
    if (user?.content[field] !== undefined)
      throw new CommandError(`user "${user.name}": ${field} is not supported`);
  }
}

function tokenOf(user: ConfigurationEntry | undefined): string | undefined {
  const token = textIn(user, 'token');
  const file = textIn(user, 'tokenFile');
  if (token || file === undefined || user === undefined) return token;
  return readNamed(resolve(user.folder, file), `user "${user.name}": tokenFile`).toString().trim();
}

/** Bytes given inline as base64 under `<field>-data`, or as the path of a file under `<field>`. */
function material(entry: ConfigurationEntry | undefined, field: string): Buffer | undefined {
  if (entry === undefined) return undefined;
  const inline = textIn(entry, `${field}-data`);
  if (inline) return Buffer.from(inline, 'base64');
  const file = textIn(entry, field);
  return file ? readNamed(resolve(entry.folder, file), `"${entry.name}": ${field}`) : undefined;
}

function readNamed(path: string, where: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new CommandError(`${where}: ${cause instanceof Error ? cause.message : 'unreadable'}`, { cause });
  }
}

function named(entries: readonly ConfigurationEntry[], what: string, name: string): ConfigurationEntry {
  const entry = entries.find(candidate => candidate.name === name);
  if (entry === undefined) throw new CommandError(`${what} "${name}" does not exist`);
  return entry;
}

function textIn(entry: ConfigurationEntry | undefined, field: string): string | undefined {
  const value = entry?.content[field];
  return typeof value === 'string' ? value : undefined;
}

/** An address without a scheme is one of HTTP, as in kubectl. */
function serverAddress(text: string): string {
  const address = text.includes('://') ? text : `http://${text}`;
  const { protocol } = URL.parse(address) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new CommandError(`"${text}" is not the address of a server`);
  return address;
}
