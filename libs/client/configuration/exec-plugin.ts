import { isAbsolute, resolve, sep } from 'node:path';
import { groups, variables } from '@binnacle/api-names';
import { groupTable, variableTable } from '@binnacle/api-names/table';
import { type JsonObject, type JsonValue, splitApiVersion } from '@binnacle/api-objects';
import {
  type Entry,
  entryError,
  isOn,
  readBytes,
  readObjects,
  readPart,
  readText,
  readTexts,
} from './entry.ts';

/** A credential plugin: a program that prints credentials (spec 2, "ExecCredential"). */
export interface ExecPlugin {
  /** Absolute path, or a bare name that is searched in PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** API version in the file, in either vocabulary; it is also used towards the plugin. */
  readonly apiVersion: string;
  readonly interactiveMode: InteractiveMode;
  /** Hint for the user if the program is missing. */
  readonly installHint: string | undefined;
  /** Cluster information for the plugin; undefined: none. */
  readonly cluster: JsonObject | undefined;
  /** File and entry, at the start of error messages. */
  readonly where: string;
}

type InteractiveMode = (typeof interactiveModes)[number];

const interactiveModes = ['Never', 'IfAvailable', 'Always'] as const;
/** Groups of both vocabularies: a configuration belongs to the user's tools, and not to a server with certain names. */
const knownGroups: readonly string[] = groupTable.clientAuthentication;
const versions: readonly string[] = ['v1', 'v1beta1'];

/** Returns the variable from which a plugin reads its ExecCredential, in the vocabulary of the file. */
export function chooseExecInfoVariable({ apiVersion }: Pick<ExecPlugin, 'apiVersion'>): string {
  const index = knownGroups.indexOf(splitApiVersion(apiVersion).group);
  return variableTable.execInfo[index] ?? variables.execInfo;
}

/** Parses `exec` of a user entry; undefined if it is missing. */
export function parseExecPlugin(user: Entry, cluster: Entry): ExecPlugin | undefined {
  const exec = readPart(user, 'exec');
  if (exec === undefined) return undefined;
  const apiVersion = readApiVersion(exec);
  return {
    command: readCommand(exec),
    args: readTexts(exec, 'args'),
    env: readEnvironment(exec),
    apiVersion,
    interactiveMode: readInteractiveMode(exec, apiVersion),
    installHint: readText(exec, 'installHint'),
    cluster: isOn(exec, 'provideClusterInfo') ? readClusterInfo(cluster) : undefined,
    where: exec.where,
  };
}

function readApiVersion(exec: Entry): string {
  const apiVersion = readText(exec, 'apiVersion');
  if (apiVersion === undefined) throw entryError(exec, 'apiVersion is required');
  const { group, version } = splitApiVersion(apiVersion);
  const isKnown = knownGroups.includes(group) && versions.includes(version);
  if (!isKnown)
    throw entryError(
      exec,
      `apiVersion must be one of ${versions.map(v => `${groups.clientAuthentication}/${v}`).join(', ')}`,
    );
  return apiVersion;
}

function readCommand(exec: Entry): string {
  const command = readText(exec, 'command');
  if (command === undefined) throw entryError(exec, 'command is required');
  const isBareName = !command.includes('/') && !command.includes(sep);
  return isBareName || isAbsolute(command) ? command : resolve(exec.directory, command);
}

function readEnvironment(exec: Entry): Record<string, string> {
  const variables = readObjects(exec, 'env').map((fields): [string, string] => {
    const variable: Entry = { ...exec, fields, where: `${exec.where}: env` };
    const name = readText(variable, 'name');
    if (name === undefined || /[=\0]/.test(name)) throw entryError(variable, 'name is required, without =');
    return [name, readText(variable, 'value') ?? ''];
  });
  return Object.fromEntries(variables);
}

function readInteractiveMode(exec: Entry, apiVersion: string): InteractiveMode {
  const given = readText(exec, 'interactiveMode');
  if (given === undefined && apiVersion.endsWith('/v1beta1')) return 'IfAvailable';
  const mode = interactiveModes.find(candidate => candidate === given);
  if (mode === undefined)
    throw entryError(exec, `interactiveMode must be one of ${interactiveModes.join(', ')}`);
  return mode;
}

function readClusterInfo(cluster: Entry): JsonObject {
  const authority = readBytes(cluster, 'certificate-authority');
  const config = findExtension(cluster);
  return {
    server: readText(cluster, 'server') ?? '',
    ...(authority && { 'certificate-authority-data': authority.toString('base64') }),
    ...(config !== undefined && { config }),
  };
}

/** Finds the extension for plugins, in either vocabulary. */
function findExtension(cluster: Entry): JsonValue | undefined {
  const extensions = readObjects(cluster, 'extensions');
  for (const group of knownGroups) {
    const found = extensions.find(({ name }) => name === `${group}/exec`);
    if (found) return found['extension'];
  }
  return undefined;
}
