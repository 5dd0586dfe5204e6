import { createHash } from 'node:crypto';
import { type ApiObject, copyJson, type FieldError, fieldPath } from '@binnacle/api-objects';
import { schemaValueErrors } from '../apiextensions/schema-value-validation.ts';
import type { KindRules, ScalePaths } from '../definitions/definitions.ts';
import { appliedNullErrors } from './applied-nulls.ts';
import type { DefinitionVersion } from './custom-definition.ts';
import { printerColumns } from './printer-columns.ts';
import { pruneStoredObject } from './prune.ts';
import { scaleFigureErrors } from './scale-figures.ts';
import { applySchemaDefaults } from './schema-defaults.ts';

/** The parts of a definition that the rules of a custom kind follow from. */
interface CustomRulesSource {
  /** The name of the definition. */
  readonly definition: string;
  readonly version: DefinitionVersion;
  readonly scale: ScalePaths | undefined;
  /** The version that is stored, where it is not this one. */
  readonly storedVersion: DefinitionVersion | undefined;
}

/** The rules of objects of one version of a definition: everything follows from the schema. */
export function customRules({ definition, version, scale, storedVersion }: CustomRulesSource): KindRules {
  const { schema } = version;
  const complete = (object: ApiObject, bytes = 0): void => {
    pruneStoredObject(schema, object);
    applySchemaDefaults(schema, object, { definition, bytes });
  };
  // A stored object has the defaults of the stored version, in whatever version it is read.
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
    migration: { tag: tagOf(version), complete: storedVersion === undefined ? complete : completeStored },
    ...printerColumns(version.columns),
  };
}

/** A status is all that its subresource writes. */
function keepMetadata(object: ApiObject, old: ApiObject): void {
  const { resourceVersion, managedFields } = object.metadata;
  object.metadata = copyJson(old.metadata);
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
  if (managedFields !== undefined) object.metadata.managedFields = managedFields;
  else delete object.metadata.managedFields;
}

/** Stands for what is done to an object before it is stored in a version. */
function tagOf({ name, schema }: DefinitionVersion): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([name, schema]))
    .digest()
    .subarray(0, 8);
}
