import type { LogFields } from './logger.ts';

const secretNames =
  /token|authorization|password|passphrase|secret|cookie|credential|^key$|privatekey|apikey/;
const replacement = '[redacted]';
const maxDepth = 6;

/**
 * Returns a copy of log fields that is safe to write: values of fields with a secret's name are replaced, errors become
 * plain objects, bytes are replaced by their length, cycles and deep nesting by a marker.
 */
export function redact(fields: LogFields): LogFields {
  return redactRecord(fields, []);
}

function redactRecord(value: object, path: readonly object[]): { [field: string]: unknown } {
  const inside = [...path, value];
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isSecret(name, item) ? replacement : redactValue(item, inside),
    ]),
  );
}

function isSecret(name: string, value: unknown): boolean {
  const holds = typeof value === 'string' || typeof value === 'object';
  return holds && value !== null && secretNames.test(name.toLowerCase().replaceAll(/[-_]/g, ''));
}

function redactValue(value: unknown, path: readonly object[]): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (path.includes(value) || path.length > maxDepth) return '[nested]';
  if (value instanceof Error) return describeError(value, [...path, value]);
  if (value instanceof Date) return value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map(item => redactValue(item, [...path, value]));
  if (value instanceof Map || value instanceof Set) return `[${value.size} entries]`;
  return redactRecord(value, path);
}

function describeError(error: Error, path: readonly object[]): LogFields {
  return {
    name: error.name,
    message: error.message,
    ...('code' in error && typeof error.code !== 'object' ? { code: error.code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, path) }),
    ...(error instanceof AggregateError ? { errors: redactValue(error.errors, path) } : {}),
  };
}
