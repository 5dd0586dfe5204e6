import { understood } from '@binnacle/api-names';
import { errorMessage } from '@binnacle/status-errors';

/** One line of a policy file: what a user, a group or both may do. */
export interface AbacPolicy {
  /** "*": every authenticated user. Empty: every member of the group. */
  readonly user: string;
  /** "*": every authenticated user. Empty: the user alone counts. */
  readonly group: string;
  /** Only get, list and watch. */
  readonly readonly: boolean;
  readonly apiGroup: string;
  /** "*": all. Empty: nothing on resources. */
  readonly resource: string;
  /** "*": all. Empty: only what has no namespace. */
  readonly namespace: string;
  /** May end in "*". Empty: nothing on paths. */
  readonly nonResourcePath: string;
}

const versions = understood.groups.abac.map(group => `${group}/v1beta1`);
const texts = ['user', 'group', 'apiGroup', 'resource', 'namespace', 'nonResourcePath'] as const;
/** Most characters of one line: a file that is not a policy file fails soon. */
const longestLine = 64 * 1024;

/**
 * Reads a policy file: one JSON object a line; empty lines and those that begin with `#` are passed over. Throws an error
 * that names the file and the line, for an unknown property too: a `readonly` that is misspelt would allow writes.
 */
export function parsePolicyFile(text: string, file: string): AbacPolicy[] {
  const policies: AbacPolicy[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    try {
      policies.push(parsePolicy(content));
    } catch (error) {
      const why = errorMessage(error);
      throw new Error(`policy file ${file}, line ${index + 1}: ${why}`, { cause: error });
    }
  }
  return policies;
}

function parsePolicy(line: string): AbacPolicy {
  if (line.length > longestLine) throw new Error(`the line is longer than ${longestLine} characters`);
  const policy = objectFrom(parseJson(line), 'the policy');
  const { apiVersion, kind, spec, ...others } = policy;
  if (apiVersion === undefined && kind === undefined)
    throw new Error(
      `lines without apiVersion and kind are not supported; use ${versions[0]} and kind Policy`,
    );
  if (typeof apiVersion !== 'string' || !versions.includes(apiVersion))
    throw new Error(`apiVersion must be ${versions.join(' or ')}`);
  if (kind !== 'Policy') throw new Error('kind must be Policy');
  refuseOthers(others);
  return parseSpec(objectFrom(spec, 'spec'));
}

function parseSpec(spec: Readonly<Record<string, unknown>>): AbacPolicy {
  const { readonly = false, ...rest } = spec;
  if (typeof readonly !== 'boolean') throw new Error('spec.readonly must be true or false');
  const readText = (name: (typeof texts)[number]): string => {
    const value = rest[name] ?? '';
    if (typeof value !== 'string') throw new Error(`spec.${name} must be a string`);
    return value;
  };
  refuseOthers(rest, texts, 'spec.');
  return {
    user: readText('user'),
    group: readText('group'),
    readonly,
    apiGroup: readText('apiGroup'),
    resource: readText('resource'),
    namespace: readText('namespace'),
    nonResourcePath: readText('nonResourcePath'),
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error('the line is not a JSON object', { cause: error });
  }
}

function objectFrom(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${what} must be an object`);
  return { ...value };
}

function refuseOthers(
  value: Readonly<Record<string, unknown>>,
  allowed: readonly string[] = [],
  prefix = '',
): void {
  const other = Object.keys(value).find(name => !allowed.includes(name));
  if (other !== undefined) throw new Error(`unknown property ${prefix}${other}`);
}
