import { type FieldError, type FieldPath, invalidField, type JsonValue } from '@binnacle/api-objects';
import { descendingPathErrors } from './volume-source-validation.ts';

const mostPermissive = 0o777;

/** The findings about the permissions of a file in a volume. */
export function fileModeErrors(mode: JsonValue | undefined, path: FieldPath): FieldError[] {
  if (typeof mode !== 'number' || (mode >= 0 && mode <= mostPermissive)) return [];
  return [invalidField(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

/** The findings about the place of a file in a volume; names that begin with two dots are the node's. */
export function filePathErrors(text: string, path: FieldPath): FieldError[] {
  const errors = descendingPathErrors(text, path);
  if (text.startsWith('..') && !text.startsWith('../'))
    errors.push(invalidField(path, text, "must not start with '..'"));
  return errors;
}
