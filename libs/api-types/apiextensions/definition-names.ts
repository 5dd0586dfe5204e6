import {
  type FieldError,
  type FieldPath,
  invalidField,
  requiredField,
  validateDns1035Label,
} from '@binnacle/api-objects';
import type { CustomResourceDefinitionNames } from '../generated/apiextensions/v1.ts';

/** Validates the requested names of a definition. */
export function definitionNameErrors(names: CustomResourceDefinitionNames, path: FieldPath): FieldError[] {
  const { kind = '', listKind = '' } = names;
  const errors = [
    ...(['plural', 'singular'] as const).flatMap(field => labelErrors(names[field] ?? '', path.child(field))),
    ...(['kind', 'listKind'] as const).flatMap(field => kindErrors(names[field] ?? '', path.child(field))),
    ...(['shortNames', 'categories'] as const).flatMap(field =>
      (names[field] ?? []).flatMap((name, index) => labelErrors(name, path.child(field).index(index))),
    ),
  ];
  if (kind !== '' && kind === listKind)
    errors.push(invalidField(path.child('listKind'), listKind, 'kind and listKind may not be the same'));
  return errors;
}

function labelErrors(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [requiredField(path)];
  return validateDns1035Label(name).map(message => invalidField(path, name, message));
}

function kindErrors(kind: string, path: FieldPath): FieldError[] {
  if (kind === '') return [requiredField(path)];
  return validateDns1035Label(kind.toLowerCase()).map(message =>
    invalidField(path, kind, `case apart: ${message}`),
  );
}
