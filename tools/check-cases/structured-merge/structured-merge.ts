import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { conflictsText, type FieldManagers, fieldSetFromJson } from '@binnacle/server-side-apply/testing';
import { type CaseFile, rowGroup } from '../cases/case-file.ts';
import { differs, differsAsSet, firstProblem } from '../cases/compare.ts';
import { textsFromSet } from './path-texts.ts';
import { type CaseSetup, runOps } from './run-ops.ts';
import { type SchemaDocument, schemasFromDocument } from './schema-document.ts';
import { type SchemaNamed, typedGroups } from './typed.ts';

interface CaseRow extends CaseSetup {
  readonly object?: JsonValue;
  readonly objectVersion?: string;
  readonly managed?: Readonly<Record<string, ManagedRow>>;
}

/** The fields of a manager as a row writes them. */
export interface ManagedRow {
  readonly apiVersion: string;
  readonly applied: boolean;
  readonly paths: readonly string[];
  readonly fieldsV1?: JsonValue;
}

interface ConflictTextRow {
  readonly conflicts: readonly { readonly manager: string; readonly path: string }[];
  readonly text: string;
}

/** The cases of server-side apply: whole runs of writes by several managers, and the parts by themselves. */
export function structuredMergeCases(document: JsonObject): CaseFile {
  const schemaNamed = schemaFinder(document);
  return {
    groups: [
      rowGroup<CaseRow>(document, 'cases', row => problemOfCase(row, schemaNamed)),
      rowGroup(document, 'conflictText', problemOfText),
      ...typedGroups(document, schemaNamed),
    ],
    leftOut: [],
  };
}

/** Finds the schemas of a file by name, each read once. */
export function schemaFinder(document: JsonObject): SchemaNamed {
  const documents = (document['schemas'] ?? {}) as unknown as Record<string, SchemaDocument>; // the file says so
  const read = new Map<string, ReturnType<typeof schemasFromDocument>>();
  return name => {
    const schemas = read.get(name) ?? schemasFromDocument(documents[name] ?? { types: [] });
    read.set(name, schemas);
    return schemas;
  };
}

function problemOfCase(row: CaseRow, schemaNamed: SchemaNamed): string | undefined {
  const end = runOps(row, schemaNamed);
  const { object, objectVersion = 'v1', managed } = row;
  return firstProblem(
    object === undefined ? undefined : differs(end.objectIn(objectVersion), object, 'the object'),
    managed === undefined ? undefined : problemOfManagers(end.managers, managed),
  );
}

function problemOfManagers(
  managers: FieldManagers,
  managed: Readonly<Record<string, ManagedRow>>,
): string | undefined {
  const problems = [...managers].map(([manager, { apiVersion, applied, fields }]) => {
    const expected = managed[manager];
    if (expected === undefined) return undefined;
    const what = `what ${manager} manages`;
    return firstProblem(
      differs({ apiVersion, applied }, { apiVersion: expected.apiVersion, applied: expected.applied }, what),
      differsAsSet(textsFromSet(fields), expected.paths, what),
      expected.fieldsV1 === undefined
        ? undefined
        : differsAsSet(textsFromSet(fieldSetFromJson(expected.fieldsV1)), expected.paths, 'FieldsV1'),
    );
  });
  return firstProblem(
    differsAsSet([...managers.keys()], Object.keys(managed), 'the list of managers'),
    ...problems,
  );
}

function problemOfText({ conflicts, text }: ConflictTextRow): string | undefined {
  const ordered = [...conflicts].sort((a, b) => (a.manager < b.manager ? -1 : Number(a.manager > b.manager)));
  return differs(
    conflictsText(ordered.map(({ manager, path }) => ({ manager: JSON.stringify(manager), path }))),
    text,
  );
}
