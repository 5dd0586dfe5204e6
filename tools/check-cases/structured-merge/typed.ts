import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { FieldSet, TypedSchema } from '@binnacle/server-side-apply';
import {
  compare,
  extractItems,
  faultsText,
  fieldSetFromJson,
  fieldSetFromValue,
  fieldSetToJson,
  merge,
  reconcile,
  removeItems,
  validate,
} from '@binnacle/server-side-apply/testing';
import { type RowGroup, rowGroup } from '../cases/case-file.ts';
import { differs, differsAsSet, firstProblem } from '../cases/compare.ts';
import { setOfTexts, textsFromSet } from './path-texts.ts';
import type { SchemaOf } from './schema-document.ts';

interface TypedRow {
  readonly schema: string;
  readonly type: string;
}

interface TwoObjects extends TypedRow {
  readonly lhs: JsonValue;
  readonly rhs: JsonValue;
}

interface MergeRow extends TwoObjects {
  readonly result: JsonValue;
}

interface CompareRow extends TwoObjects {
  readonly added: readonly string[];
  readonly modified: readonly string[];
  readonly removed: readonly string[];
}

interface FieldSetRow extends TypedRow {
  readonly object: JsonValue;
  readonly paths: readonly string[];
  readonly fieldsV1: JsonValue;
}

interface RemoveRow extends TypedRow {
  readonly object: JsonValue;
  readonly paths: readonly string[];
  readonly afterRemove?: JsonValue;
  readonly extracted?: JsonValue;
}

interface ValidateRow extends TypedRow {
  readonly object: JsonValue;
  /** A text: only where an element may stand in a list twice. */
  readonly valid: boolean | string;
}

interface ReconcileRow extends TypedRow {
  readonly oldPaths: readonly string[];
  readonly newPaths: readonly string[] | null;
}

/** Finds a schema document by its name in the file. */
export type SchemaNamed = (name: string) => SchemaOf;

/** The cases of the parts of server-side apply: one value, or two of one schema. */
export function typedGroups(document: JsonObject, schemaNamed: SchemaNamed): RowGroup[] {
  const group = <Row extends TypedRow>(
    name: string,
    findProblem: (row: Row, schema: TypedSchema) => string | undefined,
  ) => rowGroup<Row>(document, `typed/${name}`, row => findProblem(row, schemaNamed(row.schema)(row.type)));
  return [
    group('merge', problemOfMerge),
    group('deducedMerge', problemOfMerge),
    group('compare', problemOfCompare),
    group('deducedCompare', problemOfCompare),
    group('fieldSet', problemOfFieldSet),
    group('deducedFieldSet', problemOfFieldSet),
    group('remove', problemOfRemove),
    group('extractWithKeys', (row: RemoveRow, schema) =>
      differs(extractItems(row.object, setOfTexts(row.paths), { schema, withKeys: true }), row.extracted),
    ),
    group('validate', problemOfValidation),
    group('reconcile', problemOfReconcile),
  ];
}

function problemOfMerge({ lhs, rhs, result }: MergeRow, schema: TypedSchema): string | undefined {
  return firstProblem(
    invalid(lhs, schema, true),
    invalid(rhs, schema, false),
    differs(merge(lhs, rhs, schema), result),
  );
}

function problemOfCompare(row: CompareRow, schema: TypedSchema): string | undefined {
  const { added, modified, removed } = compare(row.lhs, row.rhs, schema);
  return firstProblem(
    invalid(row.lhs, schema, true),
    invalid(row.rhs, schema, true),
    differsAsSet(textsFromSet(added), row.added, 'what was added'),
    differsAsSet(textsFromSet(modified), row.modified, 'what was modified'),
    differsAsSet(textsFromSet(removed), row.removed, 'what was removed'),
  );
}

function problemOfFieldSet(row: FieldSetRow, schema: TypedSchema): string | undefined {
  const set: FieldSet = fieldSetFromValue(row.object, schema);
  return firstProblem(
    invalid(row.object, schema, true),
    differsAsSet(textsFromSet(set), row.paths, 'the set'),
    differs(fieldSetToJson(set), row.fieldsV1, 'FieldsV1'),
    differsAsSet(textsFromSet(fieldSetFromJson(row.fieldsV1)), row.paths, 'the set that is read back'),
  );
}

function problemOfRemove(row: RemoveRow, schema: TypedSchema): string | undefined {
  const set = setOfTexts(row.paths);
  const { object, afterRemove, extracted } = row;
  return firstProblem(
    afterRemove === undefined
      ? undefined
      : differs(removeItems(object, set, schema), afterRemove, 'what is left'),
    extracted === undefined
      ? undefined
      : differs(extractItems(object, set, { schema }), extracted, 'what is extracted'),
  );
}

function problemOfValidation({ object, valid }: ValidateRow, schema: TypedSchema): string | undefined {
  const plain = validate(object, schema).length === 0;
  const withDuplicates = validate(object, schema, { duplicates: true }).length === 0;
  return differs([plain, withDuplicates], [valid === true, valid !== false], 'validity, and with duplicates');
}

function problemOfReconcile({ oldPaths, newPaths }: ReconcileRow, schema: TypedSchema): string | undefined {
  const set = reconcile(setOfTexts(oldPaths), schema);
  return differsAsSet(textsFromSet(set), newPaths ?? oldPaths, 'the set under the new schema');
}

/** Stored objects may hold an element twice, applied ones may not. */
function invalid(value: JsonValue, schema: TypedSchema, duplicates: boolean): string | undefined {
  const faults = validate(value, schema, { duplicates });
  return faults.length === 0 ? undefined : `it is refused: ${faultsText(faults)}`;
}
