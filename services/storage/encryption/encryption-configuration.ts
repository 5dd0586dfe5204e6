import { groups, understood } from '@binnacle/api-names';
import {
  causeFromFieldError,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseDuration,
  requiredField,
  splitApiVersion,
} from '@binnacle/api-objects';
import { asText, canonicalGroup, createTypeRegistry } from '@binnacle/api-types';
import { errorMessage } from '@binnacle/status-errors';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { type LocalProvider, localCiphers } from './ciphers/local-ciphers.ts';
import { type NamedKey, prefixOfKey } from './keyed-transformer.ts';
import { type KmsProvider, prefixOfKms } from './kms/create-kms-transformer.ts';
import { pathFromEndpoint } from './kms/kms-connection.ts';
import { type ConfiguredTypes, plaintextPrefix } from './stored-prefix.ts';

/** One entry of a list of providers. */
export type ProviderSettings =
  | { readonly kind: 'identity' }
  | { readonly kind: LocalProvider; readonly keys: readonly NamedKey[] }
  | { readonly kind: 'kms'; readonly provider: KmsProvider };

/** The content of an EncryptionConfiguration file. */
export interface EncryptionConfiguration {
  /** The providers of each type, in their order, by the prefix of its keys: `/core/secrets/`. */
  readonly types: ReadonlyMap<string, readonly ProviderSettings[]>;
  /** Named resources that are not built in: those of custom definitions, or misspelt ones. */
  readonly customResources: readonly string[];
}

/** Rules of providers that depend on the flags of the process. */
interface ProviderRules {
  /** Whether the file is read again when it changes. */
  readonly reloads: boolean;
  /** Whether the feature gate KMSv2 is enabled. */
  readonly hasKmsV2: boolean;
}

/** The part of the document that is being read; errors are added to `errors`. */
interface Reading {
  readonly object: JsonObject;
  readonly path: FieldPath;
  readonly errors: FieldError[];
}

/**
 * Reads an EncryptionConfiguration, version v1. Throws an Error that names each field that is not valid, and quotes no value of a
 * key. A resource that is named twice has the providers of both entries, as in kube-apiserver 1.26.
 */
export function parseEncryptionConfiguration(
  document: JsonObject,
  rules: ProviderRules,
): EncryptionConfiguration {
  const { apiVersion, kind } = document;
  const { group, version } = splitApiVersion(asText(apiVersion));
  if (
    kind !== 'EncryptionConfiguration' ||
    !understood.groups.apiserverConfig.includes(group) ||
    version !== 'v1'
  )
    throw new Error(
      `expected kind EncryptionConfiguration of ${groups.apiserverConfig}/v1, got ${JSON.stringify(kind ?? '')} of ${JSON.stringify(apiVersion ?? '')}`,
    );
  const errors: FieldError[] = [];
  const reading = { object: document, path: fieldPath(), errors };
  refuseUnknown(reading, ['apiVersion', 'kind', 'metadata', 'resources']);
  const types = new Map<string, readonly ProviderSettings[]>();
  const customResources = new Set<string>();
  const kms = { ...rules, names: new Set<string>() };
  const entries = readObjects(reading, 'resources');
  if (entries.length === 0 && errors.length === 0)
    errors.push(requiredField('resources', 'at least one resources is required'));
  for (const entry of entries) {
    refuseUnknown(entry, ['resources', 'providers']);
    const providers = readObjects(entry, 'providers').flatMap(each => providerFrom(each, kms));
    requireItems(entry, 'providers');
    for (const { resource, prefix, isBuiltIn } of readResources(entry)) {
      types.set(prefix, [...(types.get(prefix) ?? []), ...providers]);
      if (!isBuiltIn) customResources.add(resource);
    }
    requireItems(entry, 'resources');
  }
  if (errors.length > 0) {
    const causes = errors.map(causeFromFieldError);
    throw new Error(causes.map(({ field = '', message = '' }) => `${field}: ${message}`).join('; '));
  }
  return { types, customResources: [...customResources] };
}

/** Returns the types of a configuration: those that are encrypted when they are written, and the prefixes of what can be read of each. */
export function configuredTypes({ types }: EncryptionConfiguration): ConfiguredTypes {
  const entries = [...types].map(([prefix, providers]) => [storageKeyFrom(prefix), providers] as const);
  return {
    encrypted: entries.flatMap(([type, [first]]) => (first?.kind === 'identity' ? [] : [type])),
    readable: new Map(
      entries.map(([type, providers]) => [type, [...new Set(providers.flatMap(valuePrefixes))]]),
    ),
  };
}

/** Returns the prefixes of the values that a provider decrypts, one for each name of a key. */
function valuePrefixes(settings: ProviderSettings): string[] {
  if (settings.kind === 'identity') return [plaintextPrefix];
  if (settings.kind === 'kms') return [prefixOfKms(settings.provider)];
  return settings.keys.map(({ name }) => prefixOfKey(settings.kind, name));
}

interface NamedResource {
  readonly resource: string;
  readonly prefix: string;
  readonly isBuiltIn: boolean;
}

function readResources(reading: Reading): NamedResource[] {
  const { errors } = reading;
  return readList(reading, 'resources').flatMap((resource, index) => {
    const path = reading.path.child('resources').index(index);
    if (typeof resource === 'string' && resource.includes('*'))
      errors.push(forbiddenField(path, 'wildcards are of release 1.27, name each resource'));
    else if (typeof resource !== 'string' || !/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$/.test(resource))
      errors.push(forbiddenField(path, 'must be a resource and its group: secrets, deployments.apps'));
    else {
      const found = resourceFrom(resource);
      if (found !== undefined) return [found];
      errors.push(invalidField(path, resource, 'the core group has no such resource'));
    }
    return [];
  });
}

/** Finds the keys of a resource; undefined for one of the core group that does not exist: no custom type can be in it. */
function resourceFrom(text: string): NamedResource | undefined {
  const [name = '', ...rest] = text.split('.');
  const group = canonicalGroup(rest.join('.'));
  const builtIn = createTypeRegistry({ everyVersion: true }).resources.find(
    definition => definition.group === group && definition.resource === name,
  );
  if (builtIn !== undefined) return { resource: text, prefix: builtIn.storagePrefix, isBuiltIn: true };
  return group === '' ? undefined : { resource: text, prefix: `/${group}/${name}/`, isBuiltIn: false };
}

const providerKinds = ['aescbc', 'aesgcm', 'secretbox', 'identity', 'kms'] as const;

function providerFrom(reading: Reading, kms: KmsRules): ProviderSettings[] {
  const { object, path, errors } = reading;
  refuseUnknown(reading, providerKinds);
  const given = providerKinds.filter(kind => object[kind] !== undefined && object[kind] !== null);
  const [kind] = given;
  if (kind === undefined)
    errors.push(requiredField(path, `one of the providers ${providerKinds.join(', ')} is required`));
  else if (given.length > 1)
    errors.push(
      forbiddenField(
        path,
        'more than one provider specified in a single element, should split into different list elements',
      ),
    );
  else if (kind === 'identity') return [{ kind }];
  else {
    const provider = readObject(reading, kind);
    if (provider === undefined) return [];
    if (kind === 'kms') return [{ kind, provider: readKms(provider, kms) }];
    return [{ kind, keys: readKeys(provider, localCiphers[kind].keyBytes) }];
  }
  return [];
}

/** The rules of providers, and the names of the KMS plugins that were read. */
interface KmsRules extends ProviderRules {
  readonly names: Set<string>;
}

/** Reads the settings of a KMS plugin by the rules of kube-apiserver. What is wrong is in the errors, and not of use in the result. */
function readKms(reading: Reading, rules: KmsRules): KmsProvider {
  const { object, path, errors } = reading;
  refuseUnknown(reading, ['apiVersion', 'name', 'endpoint', 'cachesize', 'timeout']);
  const { apiVersion = 'v1', cachesize = 1000, timeout = '3s' } = object;
  const name = readText(reading, 'name', 'provider') ?? '';
  if (apiVersion !== 'v1' && name.includes(':'))
    errors.push(
      invalidField(path.child('name'), name, `invalid KMS provider name ${name}, must not contain ':'`),
    );
  if ((rules.reloads || apiVersion !== 'v1') && rules.names.has(name))
    errors.push(
      invalidField(path.child('name'), name, `duplicate KMS provider name ${name}, names must be unique`),
    );
  rules.names.add(name);
  const timeoutMs = typeof timeout === 'string' ? (parseDuration(timeout) ?? 0) / 1e6 : 0;
  if (timeoutMs < 1 || timeoutMs > maxTimeoutMs)
    errors.push(
      invalidField(
        path.child('timeout'),
        timeout,
        'timeout should be a positive value, a duration such as 3s',
      ),
    );
  const endpoint = readText(reading, 'endpoint', 'kms') ?? '';
  if (endpoint !== '') checkEndpoint(endpoint, reading);
  if (!isCacheSize(cachesize))
    errors.push(
      invalidField(
        path.child('cachesize'),
        cachesize,
        'cachesize should be a positive value, or negative to disable',
      ),
    );
  const isV2 = apiVersion === 'v2';
  if (apiVersion !== 'v1' && !isV2)
    errors.push(
      invalidField(
        path.child('apiVersion'),
        apiVersion,
        `unsupported apiVersion ${asText(apiVersion)} for KMS provider, only v1 and v2 are supported`,
      ),
    );
  if (isV2 && !rules.hasKmsV2)
    errors.push(
      forbiddenField(
        path.child('apiVersion'),
        `could not configure KMSv2 plugin "${name}", KMSv2 feature is not enabled: it needs --feature-gates=KMSv2=true`,
      ),
    );
  return {
    name,
    apiVersion: isV2 ? 'v2' : 'v1',
    endpoint,
    timeout: timeoutMs,
    cachesize: Number(cachesize),
  };
}

/** An hour: the longest timeout that timers of JavaScript surely take. */
const maxTimeoutMs = 3_600_000;

const maxCacheSize = 2 ** 31 - 1;

function isCacheSize(value: JsonValue): boolean {
  return (
    typeof value === 'number' && Number.isInteger(value) && value !== 0 && Math.abs(value) <= maxCacheSize
  );
}

function checkEndpoint(endpoint: string, { path, errors }: Reading): void {
  try {
    pathFromEndpoint(endpoint);
  } catch (thrown) {
    errors.push(invalidField(path.child('endpoint'), endpoint, errorMessage(thrown)));
  }
}

function readKeys(reading: Reading, keyBytes: readonly number[]): NamedKey[] {
  const { errors } = reading;
  refuseUnknown(reading, ['keys']);
  const keys = readObjects(reading, 'keys').flatMap(key => {
    refuseUnknown(key, ['name', 'secret']);
    const name = readText(key, 'name');
    const secret = readText(key, 'secret');
    if (name === undefined || secret === undefined) return [];
    const path = key.path.child('secret');
    const bytes = Buffer.from(secret, 'base64');
    if (bytes.toString('base64') !== secret.replaceAll(/\r?\n/g, ''))
      errors.push(invalidField(path, 'REDACTED', 'secrets must be base64 encoded'));
    else if (!keyBytes.includes(bytes.length))
      errors.push(
        invalidField(
          path,
          'REDACTED',
          `secret is not of the expected length, got ${bytes.length}, expected one of [${keyBytes.join(' ')}]`,
        ),
      );
    return [{ name, secret: bytes }];
  });
  requireItems(reading, 'keys');
  return keys;
}

/** Refuses unknown fields without their values, which may be those of keys. */
function refuseUnknown({ object, path, errors }: Reading, known: readonly string[]): void {
  for (const field of Object.keys(object))
    if (!known.includes(field)) errors.push(forbiddenField(path.child(field), 'unknown field'));
}

function requireItems({ object, path, errors }: Reading, field: string): void {
  const items = object[field] ?? [];
  if (Array.isArray(items) && items.length === 0)
    errors.push(requiredField(path.child(field), `at least one ${field} is required`));
}

function readList({ object, path, errors }: Reading, field: string): readonly JsonValue[] {
  const value = object[field] ?? [];
  if (Array.isArray(value)) return value;
  errors.push(forbiddenField(path.child(field), 'must be a list'));
  return [];
}

function readObjects(reading: Reading, field: string): Reading[] {
  const { errors } = reading;
  return readList(reading, field).flatMap((object, index) => {
    const path = reading.path.child(field).index(index);
    if (isJsonObject(object)) return [{ object, path, errors }];
    errors.push(forbiddenField(path, 'must be an object'));
    return [];
  });
}

function readObject({ object, path, errors }: Reading, field: string): Reading | undefined {
  const value = object[field];
  if (isJsonObject(value)) return { object: value, path: path.child(field), errors };
  errors.push(forbiddenField(path.child(field), 'must be an object'));
  return undefined;
}

function readText({ object, path, errors }: Reading, field: string, part = 'key'): string | undefined {
  const value = object[field] ?? '';
  if (typeof value !== 'string') errors.push(forbiddenField(path.child(field), 'must be a string'));
  else if (value === '')
    errors.push(requiredField(path.child(field), `${field} is a mandatory field for a ${part}`));
  else return value;
  return undefined;
}
