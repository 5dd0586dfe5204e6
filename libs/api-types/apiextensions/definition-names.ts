import {
  type FieldError,
  type FieldPath,
  invalidField,
  type JsonObject,
  requiredField,
  validateDns1035Label,
} from '@binnacle/api-objects';
import { asText, asTexts } from '../values/json-access.ts';

/** The findings about the names that a definition asks for. */
export function definitionNameErrors(names: JsonObject, path: FieldPath): FieldError[] {
  const kind = asText(names['kind']);
  const listKind = asText(names['listKind']);
  const errors = [
    ...['plural', 'singular'].flatMap(field => labelErrors(asText(names[field]), path.child(field))),
    ...['kind', 'listKind'].flatMap(field => kindErrors(asText(names[field]), path.child(field))),
    ...['shortNames', 'categories'].flatMap(field =>
      asTexts(names[field]).flatMap((name, index) => labelErrors(name, path.child(field).index(index))),
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
