import { type FieldError, type FieldPath, invalidField } from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { patternFault } from './pattern.ts';

/** Maximum length of a pattern in a message. */
const longestShown = 256;

/** Validates the pattern of a node, in the structure or in its value validations. */
export function patternErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const pattern = schema.pattern ?? '';
  const fault = pattern === '' ? undefined : patternFault(pattern);
  if (fault === undefined) return [];
  const why =
    fault === 'malformed'
      ? 'must be a valid regular expression'
      : 'must be a regular expression of at most 10000 characters and 10000 instructions';
  return [invalidField(path.child('pattern'), pattern.slice(0, longestShown), why)];
}
