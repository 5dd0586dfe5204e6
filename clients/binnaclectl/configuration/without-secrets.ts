import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';

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
