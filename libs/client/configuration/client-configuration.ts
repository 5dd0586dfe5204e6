import { type ConfigurationFiles, readConfigurationFiles } from './configuration-files.ts';
import { bytesOf, type Entry, hasField, isOn, problemOf, textOf } from './entry.ts';
import { type ExecPlugin, parseExecPlugin } from './exec-plugin.ts';
import { parseUser, type UserConfiguration } from './user.ts';

/** Where a server is, how it is known to be the right one, and who asks. */
export interface ClientConfiguration extends UserConfiguration {
  /** Base addresses of servers that give the same answers; another is tried when one cannot be reached. */
  readonly servers: readonly string[];
  /** PEM of the authorities that sign the server's certificate; undefined: the system's. */
  readonly certificateAuthority?: Buffer;
  /** Name the server's certificate is for, where it is not the host of the address. */
  readonly tlsServerName?: string;
  /** The server's certificate is not verified. */
  readonly insecureSkipTlsVerify?: true;
  /** Gives the credentials when the user has none of the other kinds. */
  readonly exec?: ExecPlugin;
  /** Namespace of the context. */
  readonly namespace?: string;
}

/** What is read of client configuration files. */
export interface LoadClientConfigurationOptions {
  /** Name of the context; the current one when not given. */
  readonly context?: string | undefined;
  /** Takes `insecure-skip-tls-verify`, which is otherwise refused. For programs whose user sees what they do. */
  readonly allowInsecureTls?: boolean;
}

/** What would send requests elsewhere, or as another user, when it were passed over. */
const refusedClusterFields: readonly string[] = ['proxy-url'];

/**
 * Reads client configuration files as kubectl does (spec 2: `clusters`, `users` and `contexts`) and returns what a context
 * leads to. Of several files the first that has a name decides on it; files that do not exist are passed over. Relative
 * paths are resolved against the file that names them, and `-data` fields win over files. Throws an Error that names
 * file and entry, and repeats no secret.
 */
export function loadClientConfiguration(
  paths: string | readonly string[],
  { context: wanted, allowInsecureTls = false }: LoadClientConfigurationOptions = {},
): ClientConfiguration {
  const files = readConfigurationFiles(typeof paths === 'string' ? [paths] : paths);
  const name = wanted ?? files.currentContext;
  if (!name) throw new Error(`${files.where}: no current-context`);
  const context = files.find('contexts', name);
  if (!context) throw new Error(`${files.where}: contexts has no entry ${JSON.stringify(name)}`);
  const cluster = referenced(files, context, 'cluster');
  if (!cluster) throw problemOf(context, 'no cluster');
  const user = referenced(files, context, 'user');
  const namespace = textOf(context, 'namespace');
  const exec = user && parseExecPlugin(user, cluster);
  return {
    ...parseCluster(cluster, allowInsecureTls),
    ...(user && parseUser(user)),
    ...(exec && { exec }),
    ...(namespace && { namespace }),
  };
}

function referenced(
  files: ConfigurationFiles,
  context: Entry,
  member: 'cluster' | 'user',
): Entry | undefined {
  const name = textOf(context, member);
  if (name === undefined) return undefined;
  const found = files.find(`${member}s`, name);
  if (!found) throw problemOf(context, `${member}s has no entry ${JSON.stringify(name)}`);
  return found;
}

function parseCluster(cluster: Entry, allowInsecureTls: boolean): ClientConfiguration {
  const refused = refusedClusterFields.find(field => hasField(cluster, field));
  if (refused) throw problemOf(cluster, `${refused} is not supported`);
  const certificateAuthority = bytesOf(cluster, 'certificate-authority');
  const tlsServerName = textOf(cluster, 'tls-server-name');
  const isInsecure = isOn(cluster, 'insecure-skip-tls-verify');
  if (isInsecure && !allowInsecureTls) throw problemOf(cluster, 'insecure-skip-tls-verify is not supported');
  if (isInsecure && certificateAuthority)
    throw problemOf(cluster, 'certificate-authority and insecure-skip-tls-verify exclude each other');
  return {
    servers: [serverOf(cluster)],
    ...(certificateAuthority && { certificateAuthority }),
    ...(tlsServerName && { tlsServerName }),
    ...(isInsecure && { insecureSkipTlsVerify: true }),
  };
}

function serverOf(cluster: Entry): string {
  const server = textOf(cluster, 'server');
  if (server === undefined) throw problemOf(cluster, 'no server');
  if (!URL.canParse(server) || new URL(server).protocol !== 'https:')
    throw problemOf(cluster, 'server must be an https URL');
  return server;
}
