import { isAbsolute, resolve, sep } from 'node:path';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { bytesOf, type Entry, isOn, objectsOf, partOf, problemOf, textOf, textsOf } from './entry.ts';

/** A program that gives credentials (spec 2, "ExecCredential"). */
export interface ExecPlugin {
  /** Absolute path, or a bare name that is looked for in PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Set besides the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** As the file says it: in the group of this project, or in the one under which existing plugins know it. */
  readonly apiVersion: string;
  readonly interactiveMode: InteractiveMode;
  /** Shown when the program is missing. */
  readonly installHint: string | undefined;
  /** Cluster information for the plugin; undefined: it gets none. */
  readonly cluster: JsonObject | undefined;
  /** File and entry, as errors begin. */
  readonly where: string;
}

type InteractiveMode = (typeof interactiveModes)[number];

const interactiveModes = ['Never', 'IfAvailable', 'Always'] as const;
const group = 'client.authentication.cluster.io';
/** The group under which existing plugins know it. */
const aliasGroup = 'client.authentication.k8s.io';
const versions: readonly string[] = ['v1', 'v1beta1'];

/** The versions of ExecCredential that a plugin is spoken to in: that of the file, and ours where that is the alias. */
export function execVersionsOf({ apiVersion }: Pick<ExecPlugin, 'apiVersion'>): readonly string[] {
  const [, version = ''] = apiVersion.split('/');
  return [...new Set([`${group}/${version}`, apiVersion])];
}

/** Reads `exec` of a user entry; undefined when there is none. */
export function parseExecPlugin(user: Entry, cluster: Entry): ExecPlugin | undefined {
  const exec = partOf(user, 'exec');
  if (exec === undefined) return undefined;
  const apiVersion = apiVersionOf(exec);
  return {
    command: commandOf(exec),
    args: textsOf(exec, 'args'),
    env: environmentOf(exec),
    apiVersion,
    interactiveMode: interactiveModeOf(exec, apiVersion),
    installHint: textOf(exec, 'installHint'),
    cluster: isOn(exec, 'provideClusterInfo') ? clusterInfoOf(cluster) : undefined,
    where: exec.where,
  };
}

function apiVersionOf(exec: Entry): string {
  const apiVersion = textOf(exec, 'apiVersion');
  if (apiVersion === undefined) throw problemOf(exec, 'apiVersion is required');
  const [given = '', version = '', ...more] = apiVersion.split('/');
  const isKnown = [group, aliasGroup].includes(given) && versions.includes(version) && more.length === 0;
  if (!isKnown)
    throw problemOf(exec, `apiVersion must be one of ${versions.map(v => `${group}/${v}`).join(', ')}`);
  return apiVersion;
}

function commandOf(exec: Entry): string {
  const command = textOf(exec, 'command');
  if (command === undefined) throw problemOf(exec, 'command is required');
  const isBareName = !command.includes('/') && !command.includes(sep);
  return isBareName || isAbsolute(command) ? command : resolve(exec.directory, command);
}

function environmentOf(exec: Entry): Record<string, string> {
  const variables = objectsOf(exec, 'env').map((fields): [string, string] => {
    const variable: Entry = { ...exec, fields, where: `${exec.where}: env` };
    const name = textOf(variable, 'name');
    if (name === undefined || /[=\0]/.test(name)) throw problemOf(variable, 'name is required, without =');
    return [name, textOf(variable, 'value') ?? ''];
  });
  return Object.fromEntries(variables);
}

function interactiveModeOf(exec: Entry, apiVersion: string): InteractiveMode {
  const given = textOf(exec, 'interactiveMode');
  if (given === undefined && apiVersion.endsWith('/v1beta1')) return 'IfAvailable';
  const mode = interactiveModes.find(candidate => candidate === given);
  if (mode === undefined)
    throw problemOf(exec, `interactiveMode must be one of ${interactiveModes.join(', ')}`);
  return mode;
}

function clusterInfoOf(cluster: Entry): JsonObject {
  const authority = bytesOf(cluster, 'certificate-authority');
  const config = extensionOf(cluster);
  return {
    server: textOf(cluster, 'server') ?? '',
    ...(authority && { 'certificate-authority-data': authority.toString('base64') }),
    ...(config !== undefined && { config }),
  };
}

/** What the extension for plugins says, in any form. */
function extensionOf(cluster: Entry): JsonValue | undefined {
  const extensions = objectsOf(cluster, 'extensions');
  for (const name of [`${group}/exec`, `${aliasGroup}/exec`]) {
    const found = extensions.find(extension => extension['name'] === name);
    if (found) return found['extension'];
  }
  return undefined;
}
