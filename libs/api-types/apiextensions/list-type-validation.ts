import { extensions } from '@binnacle/api-names';
import {
  duplicateField,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { isRepeated } from '../values/repeated-values.ts';
import { getItemSchema, listProperties, readDefault } from './json-schema.ts';

const listTypes = ['atomic', 'map', 'set'];
const scalarTypes = ['boolean', 'integer', 'number', 'string'];

/** Validates the list type, and the keys of a list of type map. */
export function listTypeErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const listType = schema[extensions.listType] ?? '';
  const keys = schema[extensions.listMapKeys] ?? [];
  const type = schema.type ?? '';
  const at = path.child(extensions.listType);
  const errors: FieldError[] = [];
  if (listType !== '' && type !== 'array') {
    const why = `must be array if ${extensions.listType} is specified`;
    errors.push(
      type === '' ? requiredField(path.child('type'), why) : invalidField(path.child('type'), type, why),
    );
  }
  if (listType !== '' && !listTypes.includes(listType))
    errors.push(notSupportedField(at, listType, listTypes));
  if (keys.length > 0 && listType !== 'map') {
    const why = `must be map if ${extensions.listMapKeys} is non-empty`;
    errors.push(listType === '' ? requiredField(at, why) : invalidField(at, listType, why));
  }
  if (listType === 'map') errors.push(...mapErrors(schema, keys, path));
  if (listType === 'set') errors.push(...setErrors(getItemSchema(schema), path.child('items')));
  return errors;
}

function mapErrors(schema: JSONSchemaProps, keys: readonly string[], path: FieldPath): FieldError[] {
  const items = getItemSchema(schema);
  const keysPath = path.child(extensions.listMapKeys);
  const itemsPath = path.child('items');
  const errors: FieldError[] = [];
  if (keys.length === 0)
    errors.push(requiredField(keysPath, `must not be empty if ${extensions.listType} is map`));
  if (!items)
    return [...errors, requiredField(itemsPath, `must have a schema if ${extensions.listType} is map`)];
  if (items.type !== 'object') {
    const why = `must be object if the ${extensions.listType} of the array is map`;
    return [...errors, invalidField(itemsPath.child('type'), items.type ?? '', why)];
  }
  if (items.nullable === true)
    errors.push(
      forbiddenField(itemsPath.child('nullable'), `cannot be nullable when ${extensions.listType} is map`),
    );
  errors.push(
    ...keys.flatMap((key, index) =>
      isRepeated(keys, index) ? [duplicateField(keysPath.index(index), key)] : [],
    ),
    ...keys.flatMap(key => keyErrors(items, key, { keysPath, itemsPath })),
  );
  return errors;
}

/** Every element must have its keys, which identify it. */
function keyErrors(
  items: JSONSchemaProps,
  key: string,
  { keysPath, itemsPath }: { readonly keysPath: FieldPath; readonly itemsPath: FieldPath },
): FieldError[] {
  const property = new Map(listProperties(items)).get(key);
  if (!property) return [invalidField(keysPath, key, 'entries must all be names of item properties')];
  const at = itemsPath.child('properties').key(key);
  const errors: FieldError[] = [];
  const type = property.type ?? '';
  if (!scalarTypes.includes(type))
    errors.push(
      invalidField(
        at.child('type'),
        type,
        `must be a scalar type if the ${extensions.listType} of the array is map`,
      ),
    );
  if (property.nullable === true)
    errors.push(
      forbiddenField(
        at.child('nullable'),
        `this property is in ${extensions.listMapKeys}, so it cannot be nullable`,
      ),
    );
  if (readDefault(property) === undefined && !(items.required ?? []).includes(key))
    errors.push(
      requiredField(
        at.child('default'),
        `this property is in ${extensions.listMapKeys}, so it must have a default or be a required property`,
      ),
    );
  return errors;
}

function setErrors(items: JSONSchemaProps | undefined, path: FieldPath): FieldError[] {
  if (!items) return [];
  const errors: FieldError[] = [];
  if (items.nullable === true)
    errors.push(
      forbiddenField(path.child('nullable'), `cannot be nullable when ${extensions.listType} is set`),
    );
  const why = `must be atomic as item of a list with ${extensions.listType}=set`;
  if (items.type !== 'object' && items.type !== 'array') return errors;
  const key = items.type === 'object' ? extensions.mapType : extensions.listType;
  const actual = items[key] || (items.type === 'object' ? 'granular' : 'atomic');
  if (actual !== 'atomic') errors.push(invalidField(path.child(key), actual, why));
  return errors;
}
