import { type FieldError, type FieldPath, invalidField, type JsonValue } from '@binnacle/api-objects';
import { descendingPathErrors } from './volume-source-validation.ts';

const mostPermissive = 0o777;

/** Validates the mode of a file in a volume. */
export function fileModeErrors(mode: JsonValue | undefined, path: FieldPath): FieldError[] {
  if (typeof mode !== 'number' || (mode >= 0 && mode <= mostPermissive)) return [];
  return [invalidField(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

/** Validates the path of a file in a volume; names starting with two dots are reserved for the node. */
export function filePathErrors(text: string, path: FieldPath): FieldError[] {
  const errors = descendingPathErrors(text, path);
  if (text.startsWith('..') && !text.startsWith('../'))
    errors.push(invalidField(path, text, "must not start with '..'"));
  return errors;
}
