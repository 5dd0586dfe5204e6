import { type FieldError, type FieldPath, invalidField, requiredField } from '@binnacle/api-objects';
import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresourceScale,
} from '../generated/apiextensions/v1.ts';
import { parseJsonPath } from '../json-path/json-path-parser.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** Validates an additional printer column. */
export function printerColumnErrors(column: CustomResourceColumnDefinition, path: FieldPath): FieldError[] {
  const { name = '', type = '', format = '', jsonPath = '' } = column;
  const errors = name === '' ? [requiredField(path.child('name'))] : [];
  if (!columnTypes.includes(type))
    errors.push(
      type === ''
        ? requiredField(path.child('type'))
        : invalidField(path.child('type'), type, `must be one of ${columnTypes.join(', ')}`),
    );
  if (format !== '' && !columnFormats.includes(format))
    errors.push(invalidField(path.child('format'), format, `must be one of ${columnFormats.join(', ')}`));
  return [...errors, ...jsonPathErrors(jsonPath, path.child('JSONPath'))];
}

function jsonPathErrors(jsonPath: string, path: FieldPath): FieldError[] {
  if (jsonPath === '') return [requiredField(path)];
  if (!jsonPath.startsWith('.')) return [invalidField(path, jsonPath, "must begin with '.'")];
  const parsed = parseJsonPath(jsonPath);
  return 'fault' in parsed ? [invalidField(path, jsonPath, parsed.fault)] : [];
}

/** Validates the paths of the scale subresource. */
export function scaleErrors(scale: CustomResourceSubresourceScale, path: FieldPath): FieldError[] {
  return [
    ...figureErrors(scale, 'specReplicasPath', { roots: ['.spec'], path }),
    ...figureErrors(scale, 'statusReplicasPath', { roots: ['.status'], path }),
    ...(scale.labelSelectorPath
      ? figureErrors(scale, 'labelSelectorPath', { roots: ['.status', '.spec'], path })
      : []),
  ];
}

function figureErrors(
  scale: CustomResourceSubresourceScale,
  field: keyof CustomResourceSubresourceScale,
  { roots, path }: { readonly roots: readonly string[]; readonly path: FieldPath },
): FieldError[] {
  const at = path.child(field);
  const value = scale[field] ?? '';
  if (value === '') return [requiredField(at, `a path under ${roots.join(' or ')} is required`)];
  if (!/^(\.[A-Za-z_$][-\w$]*)+$/.test(value))
    return [invalidField(at, value, 'must be a JSON path of names, each behind a dot')];
  if (roots.some(root => value.startsWith(`${root}.`))) return [];
  return [invalidField(at, value, `should be a json path under ${roots.join(' or ')}`)];
}
