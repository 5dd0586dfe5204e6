import { Refusal } from '@binnacle/backend-access';
import { canonicalGroup } from '../group-names/canonical-group.ts';

/** One resource that the runtime configuration can enable or disable. */
interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** Returns whether a resource is served. */
type RuntimeConfig = (resource: ServedResource) => boolean;

interface Setting {
  readonly group: string;
  readonly version: string;
  readonly resource?: string;
  readonly enabled: boolean;
}

/** The parsed settings of `--runtime-config`. */
interface Settings {
  /** By `api/all`, `api/ga`, `api/beta`, `api/alpha`. */
  readonly levels: ReadonlyMap<string, boolean>;
  readonly named: readonly Setting[];
}

/** The keys for all versions of a stability level, in the order in which they are applied: later ones override earlier ones. */
const levelKeys: readonly (readonly [key: string, versions: RegExp])[] = [
  ['api/all', /./],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
];

/**
 * Parses `--runtime-config`: comma-separated `key[=true|false]` pairs; default value: true. Keys are `group/version` and
 * `group/version/resource` (the core group is `v1`, `api/v1` or `core/v1`), and `api/all`, `api/ga`, `api/beta` and `api/alpha`
 * for all versions of a level. Alpha versions are disabled by default, all others enabled. A resource key overrides a version
 * key, which overrides a level; the last of equal keys wins. Throws, naming the key, for an invalid boolean and for keys that are
 * not among `known` (spec/1, Versioning).
 */
export function parseRuntimeConfig(text: string, known: readonly ServedResource[]): RuntimeConfig {
  const pairs = text
    .split(',')
    .map(pair => pair.trim())
    .filter(pair => pair !== '')
    .map(splitPair);
  const isLevel = (key: string) => levelKeys.some(([level]) => level === key);
  const settings: Settings = {
    levels: new Map(pairs.flatMap(({ key, enabled }) => (isLevel(key) ? [[key, enabled]] : []))),
    named: pairs.flatMap(pair => (isLevel(pair.key) ? [] : [settingFrom(pair, known)])),
  };
  return candidate => isEnabled(candidate, settings);
}

function isEnabled({ group, version, resource }: ServedResource, { levels, named }: Settings): boolean {
  const matching = named.filter(setting => setting.group === group && setting.version === version);
  const own = matching.findLast(setting => setting.resource === resource);
  const whole = matching.findLast(setting => setting.resource === undefined);
  const level = levelKeys.findLast(([key, versions]) => levels.has(key) && versions.test(version));
  const byDefault = !version.includes('alpha');
  return (own ?? whole)?.enabled ?? (level && levels.get(level[0])) ?? byDefault;
}

interface Pair {
  readonly key: string;
  readonly enabled: boolean;
}

function splitPair(pair: string): Pair {
  const [key = '', value = '', ...rest] = pair.split('=').map(part => part.trim());
  const isTrue = value === '' || /^(true|t|1)$/i.test(value);
  if (rest.length > 0 || (!isTrue && !/^(false|f|0)$/i.test(value)))
    throw new Refusal(`--runtime-config: ${pair}: the value must be true or false`);
  return { key, enabled: isTrue };
}

function settingFrom({ key, enabled }: Pair, known: readonly ServedResource[]): Setting {
  const parts = key.split('/');
  const named = /^v[0-9]/.test(key) ? ['', ...parts] : parts;
  const [group = '', version = '', resource] = named;
  const canonical = group === 'api' || group === 'core' ? '' : canonicalGroup(group);
  const served = known.filter(entry => entry.group === canonical && entry.version === version);
  if (served.length === 0 || named.length > 3)
    throw new Refusal(`--runtime-config: ${key}: there is no such API group and version`);
  if (resource === undefined) return { group: canonical, version, enabled };
  if (!served.some(entry => entry.resource === resource))
    throw new Refusal(`--runtime-config: ${key}: there is no such resource`);
  return { group: canonical, version, resource, enabled };
}
