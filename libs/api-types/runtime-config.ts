import { canonicalGroup } from './canonical-group.ts';

/** One resource of one version of one group, as far as switching it on and off goes. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** Decides whether a resource is served. */
export type RuntimeConfig = (resource: ServedResource) => boolean;

interface Setting {
  readonly group: string;
  readonly version: string;
  readonly resource?: string;
  readonly enabled: boolean;
}

/**
 * Parses `--runtime-config`: comma-separated `key[=true|false]` pairs, the value being true when left out.
 * Keys are `group/version` and `group/version/resource`; the core group is `v1`, `api/v1` or `core/v1`.
 * Alpha versions are off unless named, all others on. A resource key wins over a version key; of equal
 * keys the last wins. Throws, naming the key, for a value that is no boolean and for anything that is not
 * among `known` (spec/1, Versioning).
 */
export function parseRuntimeConfig(text: string, known: readonly ServedResource[]): RuntimeConfig {
  const settings = text
    .split(',')
    .map(pair => pair.trim())
    .filter(pair => pair !== '')
    .map(pair => parseSetting(pair, known));
  return candidate => {
    const matching = settings.filter(
      setting => setting.group === candidate.group && setting.version === candidate.version,
    );
    const own = matching.findLast(setting => setting.resource === candidate.resource);
    const whole = matching.findLast(setting => setting.resource === undefined);
    return (own ?? whole)?.enabled ?? !candidate.version.includes('alpha');
  };
}

function parseSetting(pair: string, known: readonly ServedResource[]): Setting {
  const [key = '', value = 'true', ...rest] = pair.split('=');
  if (rest.length > 0 || (value !== 'true' && value !== 'false'))
    throw new Error(`--runtime-config: ${pair}: the value must be true or false`);
  const parts = key.split('/');
  const named = /^v[0-9]/.test(key) ? ['', ...parts] : parts;
  const [group = '', version = '', resource] = named;
  const canonical = group === 'api' || group === 'core' ? '' : canonicalGroup(group);
  const served = known.filter(entry => entry.group === canonical && entry.version === version);
  if (served.length === 0 || named.length > 3)
    throw new Error(`--runtime-config: ${key}: there is no such API group and version`);
  if (resource === undefined) return { group: canonical, version, enabled: value === 'true' };
  if (!served.some(entry => entry.resource === resource))
    throw new Error(`--runtime-config: ${key}: there is no such resource`);
  return { group: canonical, version, resource, enabled: value === 'true' };
}
