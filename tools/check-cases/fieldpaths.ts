import { type JsonObject, type JsonValue, readJson } from '@binnacle/api-objects';
import { fieldElement } from '@binnacle/server-side-apply';
import {
  comparePathElements,
  difference,
  equalFieldSets,
  equalManagers,
  type FieldManagers,
  fieldSetFromJson,
  fieldSetFromValue,
  fieldSetToJson,
  hasPath,
  indexElement,
  intersection,
  keyElement,
  leaves,
  managersDifference,
  type PathElement,
  parsePathElement,
  pathText,
  recursiveDifference,
  union,
  untypedFieldSetFromValue,
  valueElement,
  withNamedFields,
} from '@binnacle/server-side-apply/testing';
import { type CaseFile, type RowGroup, rowGroup } from './cases/case-file.ts';
import { differs, differsAsSet, firstProblem, mustFail } from './cases/compare.ts';
import { parsePath, setOfTexts, textsFromSet } from './structured-merge/path-texts.ts';
import { type ManagedRow, schemaFinder } from './structured-merge/structured-merge.ts';

interface ElementRow {
  readonly text: string;
  readonly canonical?: string;
  readonly field?: string;
  readonly index?: number;
  readonly key?: JsonObject;
  readonly value?: JsonValue;
}

interface TextRow {
  readonly text: string;
  readonly paths?: readonly string[];
  readonly canonical?: string;
}

interface AlgebraRow {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly union?: readonly string[];
  readonly intersection?: readonly string[];
  readonly aMinusB?: readonly string[];
  readonly bMinusA?: readonly string[];
  readonly difference?: readonly string[];
  readonly recursiveDifference?: readonly string[];
  readonly equal?: boolean;
}

interface NamedFieldsRow {
  readonly schema: string;
  readonly newSchema: string;
  readonly type: string;
  readonly object: JsonValue;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface ManagersRow {
  readonly a: Readonly<Record<string, ManagedRow>>;
  readonly b: Readonly<Record<string, ManagedRow>>;
  readonly difference?: Readonly<Record<string, ManagedRow>>;
  readonly equal?: boolean;
}

/** The cases of paths and sets of paths: their texts, their order, and what can be asked of them. */
export function fieldPathCases(document: JsonObject): CaseFile {
  const schemaNamed = schemaFinder(document);
  return {
    groups: [
      ...elementGroups(document),
      ...setGroups(document),
      ...algebraGroups(document),
      rowGroup<NamedFieldsRow>(document, 'namedFields', row => {
        const before = fieldSetFromValue(row.object, schemaNamed(row.schema)(row.type));
        const after = withNamedFields(before, schemaNamed(row.newSchema)(row.type));
        return firstProblem(
          differsAsSet(textsFromSet(before), row.before, 'the set'),
          differsAsSet(textsFromSet(after), row.after, 'the set with named fields'),
        );
      }),
      rowGroup<ManagersRow>(document, 'managersDifference', ({ a, b, difference: expected = {} }) =>
        differs(
          rowsFromManagers(managersDifference(managersFromRows(a), managersFromRows(b))),
          rowsFromManagers(managersFromRows(expected)),
        ),
      ),
      rowGroup<ManagersRow>(document, 'managersEqual', ({ a, b, equal }) =>
        differs(equalManagers(managersFromRows(a), managersFromRows(b)), equal),
      ),
    ],
    leftOut: [],
  };
}

function elementGroups(document: JsonObject): RowGroup[] {
  return [
    rowGroup(document, 'element', problemOfElement),
    rowGroup(document, 'elementRead', problemOfElement),
    rowGroup<TextRow>(document, 'elementErrors', ({ text }) => mustFail(() => parsePathElement(text))),
    rowGroup<string>(document, 'elementUnknown', text =>
      differs(parsePathElement(text), undefined, 'the element'),
    ),
    rowGroup<{ elements: string[]; text: string }>(document, 'pathString', ({ elements, text }) =>
      differs(pathText(elements.map(known)), text),
    ),
    rowGroup<{ a: string | null; b: string | null; equal: boolean }>(document, 'elementOrder', row => {
      // An element that is none does not exist here; two of them are alike, and one comes before all others.
      if (row.a === null || row.b === null) return differs(row.a === row.b, row.equal);
      const order = comparePathElements(known(row.a), known(row.b));
      return differs(Math.sign(order), row.equal ? 0 : -1, 'the order');
    }),
  ];
}

function setGroups(document: JsonObject): RowGroup[] {
  return [
    rowGroup<TextRow>(document, 'golden', ({ text, paths = [] }) =>
      firstProblem(
        differsAsSet(textsFromSet(readSet(text)), paths, 'the set'),
        differs(JSON.stringify(fieldSetToJson(readSet(text))), text, 'the text'),
      ),
    ),
    rowGroup(document, 'normalize', problemOfCanonical),
    rowGroup<TextRow>(document, 'setRead', ({ text, paths = [] }) =>
      differsAsSet(textsFromSet(readSet(text)), paths, 'the set'),
    ),
    rowGroup<TextRow>(document, 'setErrors', ({ text }) => mustFail(() => fieldSetToJson(readSet(text)))),
    rowGroup(document, 'setDropUnknown', problemOfCanonical),
    rowGroup<{ value: JsonValue; paths: string[] }>(document, 'fromValue', ({ value, paths }) =>
      differsAsSet(textsFromSet(untypedFieldSetFromValue(value)), paths, 'the set'),
    ),
  ];
}

function algebraGroups(document: JsonObject): RowGroup[] {
  return [
    rowGroup<{ member: boolean; path: string; set: string[] }>(document, 'has', ({ member, path, set }) =>
      differs(hasPath(setOfTexts(set), parsePath(path)), member),
    ),
    rowGroup<{ set: string[]; leaves: string[] }>(document, 'leaves', row =>
      differsAsSet(textsFromSet(leaves(setOfTexts(row.set))), row.leaves, 'the set'),
    ),
    ...['equals', 'union', 'intersection', 'difference'].map(name =>
      rowGroup<AlgebraRow>(document, name, problemOfAlgebra),
    ),
  ];
}

function problemOfElement(row: ElementRow): string | undefined {
  const read = parsePathElement(row.text);
  return firstProblem(
    differs(read, elementFromRow(row), 'the element'),
    differs(read, row.canonical ?? row.text, 'the text'),
  );
}

function elementFromRow({ field, index, key, value = null }: ElementRow): PathElement {
  if (field !== undefined) return fieldElement(field);
  if (index !== undefined) return indexElement(index);
  return key === undefined ? valueElement(value) : keyElement(key);
}

function known(text: string): PathElement {
  const element = parsePathElement(text);
  if (element === undefined) throw new Error(`${text} is an element of an unknown kind`);
  return element;
}

function readSet(text: string) {
  return fieldSetFromJson(readJson(text));
}

function problemOfCanonical({ text, canonical = '' }: TextRow): string | undefined {
  return firstProblem(
    differs(JSON.stringify(fieldSetToJson(readSet(text))), canonical, 'the text'),
    equalFieldSets(readSet(text), readSet(canonical)) ? undefined : 'the two texts are different sets',
  );
}

function problemOfAlgebra(row: AlgebraRow): string | undefined {
  const [a, b] = [setOfTexts(row.a), setOfTexts(row.b)];
  const check = (set: typeof a, expected: readonly string[] | undefined, what: string) =>
    expected === undefined ? undefined : differsAsSet(textsFromSet(set), expected, what);
  return firstProblem(
    row.equal === undefined ? undefined : differs(equalFieldSets(a, b), row.equal),
    check(union(a, b), row.union, 'the union'),
    check(intersection(a, b), row.intersection, 'the intersection'),
    check(difference(a, b), row.aMinusB ?? row.difference, 'the difference'),
    check(difference(b, a), row.bMinusA, 'the difference the other way round'),
    check(recursiveDifference(a, b), row.recursiveDifference, 'the recursive difference'),
  );
}

function managersFromRows(managed: Readonly<Record<string, ManagedRow>>): FieldManagers {
  return new Map(
    Object.entries(managed).map(([manager, { apiVersion, applied, paths }]) => [
      manager,
      { apiVersion, applied, fields: setOfTexts(paths) },
    ]),
  );
}

function rowsFromManagers(managers: FieldManagers): unknown {
  const entries = [...managers].map(([manager, { apiVersion, applied, fields }]) => [
    manager,
    { apiVersion, applied, paths: textsFromSet(fields) },
  ]);
  return Object.fromEntries(entries);
}
