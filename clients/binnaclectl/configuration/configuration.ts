import { statSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import {
  type ClientConfiguration,
  type ConfigurationFiles,
  clientConfigurationPaths,
  loadClientConfiguration,
  readConfigurationFiles,
} from '@binnacle/client';
import { encodeYaml } from '@binnacle/codecs/texts';
import type { FlagValues } from '../arguments/flag.ts';
import type { globalFlags } from '../arguments/global-flags.ts';
import { CommandError } from '../output/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Without a cluster, kubectl's address. */
const defaultServer = 'http://localhost:8080';

/**
 * The server, credentials and namespace for a command: the context of the configuration files, each part of which a flag
 * can replace. A token of the command line replaces the user's credentials, not a certificate, as in kubectl. Throws an Error
 * that names what is wrong.
 */
export function configurationFrom(
  flags: FlagValues<typeof globalFlags>,
  env: Environment,
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

/** The file of `--kubeconfig`, which must exist, or those that `KUBECONFIG` lists, or `~/.kube/config`. */
function configurationPaths(given: string | undefined, env: Environment): readonly string[] {
  if (given === undefined) return clientConfigurationPaths(env, env['HOME'] ?? homedir());
  // Throws where the file may be there, but in a folder that is closed to this user.
  if (statSync(given, { throwIfNoEntry: false }) === undefined)
    throw new CommandError(`stat ${given}: no such file or directory`);
  return [given];
}

/** The files of a user's client configuration, for commands that show or change them. */
export function configurationFiles(given: string | undefined, env: Environment): ConfigurationFiles {
  return readConfigurationFiles(configurationPaths(given, env), { mayBeMissing: true });
}

/**
 * Writes the name of the current context into the file that has one, or into the first. The file is replaced as a whole and
 * keeps its mode; comments are lost.
 */
export async function writeCurrentContext({ files }: ConfigurationFiles, name: string): Promise<void> {
  const file = files.find(({ content }) => Boolean(content['current-context'])) ?? files[0];
  if (file === undefined) return;
  const temporary = `${file.path}.${process.pid}.tmp`;
  const content = { ...file.content, 'current-context': name };
  await writeFile(temporary, encodeYaml(content), { mode: statSync(file.path).mode & 0o777 });
  await rename(temporary, file.path);
}

/** Members whose values are long and not secret. */
const omitted = new Set(['certificate-authority-data']);
/** Members whose values are credentials, or may hold some: the environment and arguments of a program. */
const redacted = new Set([
  'client-certificate-data',
  'client-key-data',
  'token',
  'password',
  'env',
  'args',
  'auth-provider',
]);

/** A client configuration to be shown: credentials are redacted, and certificates left out. */
export function withoutSecrets(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, shown(name, value)]));
}

function shown(name: string, value: JsonValue): JsonValue {
  if (omitted.has(name) && value !== '') return 'DATA+OMITTED';
  if (redacted.has(name) && value !== '' && value !== null) return 'REDACTED';
  if (Array.isArray(value)) return value.map(item => (isJsonObject(item) ? withoutSecrets(item) : item));
  return isJsonObject(value) ? withoutSecrets(value) : value;
}
