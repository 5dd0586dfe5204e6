import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { MessageType } from '@binnacle/api-types';
import { parseJson } from '@binnacle/codecs';
import { applyStrategicMergePatch } from '@binnacle/patching';
import { type CaseFile, leftOut, rowGroup, withoutRows } from './cases/case-file.ts';
import { differs, firstProblem, mustFail } from './cases/compare.ts';
import { type MergeSchema, messagesFromSchemas } from './strategic-merge-schema.ts';

interface ApplyRow {
  readonly original: JsonValue;
  readonly patch: JsonValue;
  readonly result?: JsonValue;
  readonly expectedError?: string;
}

interface DiffRow {
  readonly original: JsonValue;
  readonly current: JsonValue;
  /** Absent where no patch can be made. */
  readonly twoWay?: JsonValue;
  readonly twoWayResult?: JsonValue;
  readonly twoWayError?: string;
  readonly threeWay?: JsonValue;
  readonly threeWayError?: string;
  readonly result?: JsonValue;
  readonly expectedError?: string;
}

interface TextRow {
  readonly originalText: string;
  readonly patchText: string;
  readonly resultText?: string;
  readonly expectedError?: string;
}

/**
 * The cases of strategic merge patches: the result of a patch on a document. The making of patches by clients is left
 * out.
 */
export function strategicMergeCases(document: JsonObject): CaseFile {
  const messages = messagesFromSchemas(document['schema'] as unknown as Record<string, MergeSchema>); // the file says so
  const item = messageNamed(messages, 'mergeItem');
  const diff = (row: DiffRow) => problemOfDiff(row, item);
  return {
    groups: [
      rowGroup<ApplyRow>(document, 'apply', row => findProblem(row, item)),
      rowGroup(document, 'diff', diff),
      rowGroup(document, 'replaceRaw', diff),
      withoutRows(rowGroup(document, 'unknownField', diff), hasNoPatch),
      rowGroup<TextRow>(document, 'numberConversion', row =>
        problemOfNumbers(row, messageNamed(messages, 'precisionItem')),
      ),
      rowGroup<TextRow>(document, 'badInput', row => mustFail(() => appliedText(row, item))),
    ],
    leftOut: [
      leftOut(document, 'sort', { reason: 'a step of making patches, which clients do' }),
      leftOut(document, 'unknownField', { reason: 'there is no patch to apply', isIt: hasNoPatch }),
    ],
  };
}

function hasNoPatch({ twoWay }: DiffRow): boolean {
  return twoWay === undefined;
}

function messageNamed(messages: ReadonlyMap<string, MessageType>, name: string): MessageType {
  const message = messages.get(name);
  if (message === undefined) throw new Error(`the file has no type ${name}`);
  return message;
}

function findProblem(row: ApplyRow, message: MessageType): string | undefined {
  const apply = () => applyStrategicMergePatch(row.original ?? {}, row.patch, message);
  return row.expectedError === undefined ? differs(apply(), row.result) : mustFail(apply, row.expectedError);
}

function problemOfDiff(row: DiffRow, message: MessageType): string | undefined {
  const { original, twoWay: patch = null, twoWayResult, expectedError } = row;
  const twoWay = { original, patch, ...expected(twoWayResult, row.twoWayError ?? expectedError) };
  const threeWayPatch = row.threeWay;
  if (threeWayPatch === undefined || row.result === undefined) return findProblem(twoWay, message);
  const threeWay = {
    original: row.current,
    patch: threeWayPatch,
    ...expected(row.result, row.threeWayError),
  };
  return firstProblem(findProblem(twoWay, message), findProblem(threeWay, message));
}

function expected(result: JsonValue | undefined, expectedError: string | undefined) {
  return {
    ...(result === undefined ? {} : { result }),
    ...(result === undefined && expectedError !== undefined ? { expectedError } : {}),
  };
}

function problemOfNumbers(row: TextRow, message: MessageType): string | undefined {
  // As texts, since reading the expected numbers would round them as well.
  return differs(JSON.stringify(appliedText(row, message)), row.resultText);
}

function appliedText({ originalText, patchText }: TextRow, message: MessageType): JsonValue {
  return applyStrategicMergePatch(parsed(originalText), parsed(patchText), message);
}

function parsed(text: string): JsonValue {
  return parseJson(Buffer.from(text)).value;
}
