import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { applyMergePatch } from '@binnacle/patching';
import { type CaseFile, rowGroup } from './cases/case-file.ts';
import { differs, firstProblem } from './cases/compare.ts';

interface ThreeWayRow {
  readonly current: JsonValue;
  readonly patch: JsonValue;
  readonly result: JsonValue;
}

interface NullFilterRow {
  readonly original: JsonObject;
  readonly withNull: JsonObject;
  readonly withoutNull: JsonObject;
}

/** The cases of merge patches: the result of a patch on a document. */
export function jsonMergeCases(document: JsonObject): CaseFile {
  return {
    groups: [
      rowGroup<ThreeWayRow>(document, 'threeWay', ({ current, patch, result }) =>
        differs(applyMergePatch(current ?? {}, patch), result),
      ),
      rowGroup(document, 'nullFilter', problemOfSplit),
    ],
    leftOut: [],
  };
}

/** A patch does what its removals and its additions do one after the other. */
function problemOfSplit({ original, withNull, withoutNull }: NullFilterRow): string | undefined {
  const documents: JsonValue[] = [{}, withoutNull, { ...withoutNull, more: 1 }, notNull(original)];
  return firstProblem(
    ...documents.map(document => {
      const inTwo = applyMergePatch(applyMergePatch(document, withNull), withoutNull);
      return differs(applyMergePatch(document, original), inTwo);
    }),
  );
}

/** The object with a value wherever it has a null. */
function notNull(value: JsonValue): JsonValue {
  if (value === null) return 'something';
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, notNull(member)]));
}
