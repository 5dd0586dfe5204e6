import { createHash } from 'node:crypto';
import {
  type ApiObject,
  copyJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  isJsonObject,
  type JsonValue,
} from '@binnacle/api-objects';
import {
  getAdditionalPropertySchema,
  getItemSchema,
  getPropertyMap,
  readDefault,
} from '../apiextensions/json-schema.ts';
import { forbidsNull, nullError, schemaValueErrors } from '../apiextensions/schema-value-validation.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { ScalePaths } from '../definitions/resource-definition.ts';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { valuesAt } from '../json-path/json-path.ts';
import { parseJsonPath } from '../json-path/json-path-parser.ts';
import type { DefinitionVersion } from './custom-definition.ts';
import { printerColumns } from './printer-columns.ts';
import { pruneStoredObject } from './prune.ts';
import { applySchemaDefaults } from './schema-defaults.ts';

/** The parts of a definition that determine the rules of a custom resource. */
interface CustomRulesSource {
  /** The name of the definition. */
  readonly definition: string;
  readonly version: DefinitionVersion;
  readonly scale: ScalePaths | undefined;
  /** The storage version, if it is another one. */
  readonly storedVersion: DefinitionVersion | undefined;
}

/** Creates the rules of the objects of one version of a definition from its schema. */
export function customRules({ definition, version, scale, storedVersion }: CustomRulesSource): KindRules {
  const { schema } = version;
  const complete = (object: ApiObject, bytes = 0): void => {
    pruneStoredObject(schema, object);
    applySchemaDefaults(schema, object, { definition, bytes });
  };
  // A stored object gets the defaults of the storage version, regardless of the version in which it is read.
  const completeStored = (object: ApiObject, bytes = 0): void => {
    try {
      applySchemaDefaults(storedVersion?.schema ?? schema, object, { definition, bytes });
    } finally {
      pruneStoredObject(schema, object);
    }
  };
  const validate = (object: ApiObject): FieldError[] => [
    ...schemaValueErrors(schema, object, fieldPath()),
    ...(scale === undefined ? [] : scaleFigureErrors(object, scale)),
  ];
  return {
    generation: true,
    unconditionalUpdate: false,
    anyFinalizers: true,
    applyDefaults: object => complete(object),
    prepareForUpdate(object, old, subresource) {
      if (subresource === 'status') keepMetadata(object, old);
    },
    resetFields: subresource => (subresource === 'status' ? [['metadata']] : []),
    validate,
    validateApplied: (object, subresource) =>
      appliedNullErrors(schema, subresource === 'status' ? { status: object['status'] ?? {} } : object),
    validateUpdate: (object, _old, subresource) => (subresource === '' ? [] : validate(object)),
    migration: { tag: createTag(version), complete: storedVersion === undefined ? complete : completeStored },
    ...printerColumns(version.columns),
  };
}

/** A write of the status subresource only changes the status. */
function keepMetadata(object: ApiObject, old: ApiObject): void {
  const { resourceVersion, managedFields } = object.metadata;
  object.metadata = copyJson(old.metadata);
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
  if (managedFields !== undefined) object.metadata.managedFields = managedFields;
  else delete object.metadata.managedFields;
}

/** Identifies the processing of an object before it is stored in a version. */
function createTag({ name, schema }: DefinitionVersion): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([name, schema]))
    .digest()
    .subarray(0, 8);
}

/**
 * Reports nulls set by an apply where the schema allows none and has no default. In other writes such a null counts as an omitted
 * field; in an apply every field gets a manager.
 */
function appliedNullErrors(schema: JSONSchemaProps, object: JsonValue): FieldError[] {
  const errors: FieldError[] = [];
  visit(schema, object, { path: fieldPath(), errors });
  return errors;
}

interface Visit {
  readonly path: FieldPath;
  readonly errors: FieldError[];
}

function visit(schema: JSONSchemaProps, value: JsonValue, { path, errors }: Visit): void {
  if (Array.isArray(value)) {
    const items = getItemSchema(schema);
    if (items === undefined) return;
    for (const [index, item] of value.entries())
      if (typeof item === 'object' && item !== null) visit(items, item, { path: path.index(index), errors });
  } else if (isJsonObject(value)) {
    const properties = getPropertyMap(schema);
    const others = getAdditionalPropertySchema(schema);
    for (const [name, member = null] of Object.entries(value)) {
      const node = properties.get(name) ?? others;
      if (node === undefined || (typeof member !== 'object' && member !== null)) continue;
      const at = path.child(name);
      if (member !== null) visit(node, member, { path: at, errors });
      else if (forbidsNull(node) && readDefault(node) === undefined) errors.push(nullError(node, at));
    }
  }
}

const largest = 2 ** 31 - 1;

/** Validates the replica counts of a scale subresource, if an object has them. */
function scaleFigureErrors(object: ApiObject, paths: ScalePaths): FieldError[] {
  return [paths.specReplicasPath, paths.statusReplicasPath].flatMap(path => {
    const parsed = parseJsonPath(path);
    if ('fault' in parsed) return [];
    const [root] = valuesAt(parsed.slice(0, 1), object);
    if (root !== undefined && root !== null && typeof root !== 'object')
      return [invalidField(path, root, 'must be below an object')];
    const [figure] = valuesAt(parsed, object);
    if (figure === undefined || figure === null) return [];
    const isCount =
      typeof figure === 'number' && Number.isInteger(figure) && figure >= 0 && figure <= largest;
    return isCount ? [] : [invalidField(path, figure, 'should be a non-negative integer')];
  });
}
