import { isJsonObject, type JsonObject, readJson } from '@binnacle/api-objects';
import { errorMessage } from '@binnacle/status-errors';
import { type HistoryRecord, historyHeader, versionNumber } from './records.ts';

/** A history file is not one; the message has the line. */
class HistoryFormatError extends Error {}

/** Reads the lines of a history file; the first is the header. Throws HistoryFormatError. */
export async function readHistory(lines: AsyncIterable<string> | Iterable<string>): Promise<HistoryRecord[]> {
  const records: HistoryRecord[] = [];
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text.trim() === '') continue;
    try {
      const value = readJson(text);
      if (!isJsonObject(value)) throw new TypeError('is not an object');
      if (line === 1) assertHeader(value);
      else records.push(recordFrom(value));
    } catch (error) {
      throw new HistoryFormatError(`line ${line}: ${errorMessage(error)}`);
    }
  }
  if (line === 0) throw new HistoryFormatError('the file is empty');
  return records;
}

/** The text of a history file, line by line without line ends. */
export function* historyLines(records: Iterable<HistoryRecord>): Iterable<string> {
  yield JSON.stringify(historyHeader);
  for (const record of records) yield JSON.stringify(record);
}

function assertHeader(value: JsonObject): void {
  if (value['format'] !== historyHeader.format)
    throw new TypeError(`must be ${JSON.stringify(historyHeader)}`);
  if (value['formatVersion'] !== historyHeader.formatVersion)
    throw new TypeError(`formatVersion must be ${historyHeader.formatVersion}`);
}

type FieldCheck = (value: unknown) => boolean;
interface Fields {
  readonly required: Readonly<Record<string, FieldCheck>>;
  readonly optional: Readonly<Record<string, FieldCheck>>;
}

const isText: FieldCheck = value => typeof value === 'string';
const isTime: FieldCheck = value => typeof value === 'number' && value >= 0;
const isCount: FieldCheck = value => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isFlag: FieldCheck = value => typeof value === 'boolean';
const isVersion: FieldCheck = value => typeof value === 'string' && versionNumber(value) >= 0;
const isTexts: FieldCheck = value =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isText);
const oneOf =
  (...words: readonly string[]): FieldCheck =>
  value =>
    typeof value === 'string' && words.includes(value);

const span = { start: isTime, end: isTime };
const state = { version: isVersion, value: isText };
const isState: FieldCheck = value => has({ required: state, optional: { holds: isTexts } }, value);
const isItem: FieldCheck = value =>
  has({ required: { ...state, namespace: isText, name: isText }, optional: { holds: isTexts } }, value);

const fieldsOf: Readonly<Record<HistoryRecord['kind'], Fields>> = {
  write: {
    required: {
      ...span,
      client: isText,
      verb: oneOf('create', 'update', 'delete'),
      resource: isText,
      namespace: isText,
      outcome: oneOf('ok', 'refused', 'unknown'),
    },
    optional: {
      server: isText,
      name: isText,
      value: isText,
      precondition: isVersion,
      version: isVersion,
      holds: isTexts,
      code: isCount,
      reason: isText,
    },
  },
  read: {
    required: { ...span, client: isText, resource: isText, namespace: isText, name: isText },
    optional: { server: isText, found: isState, mayBeOld: isFlag },
  },
  list: {
    required: {
      ...span,
      client: isText,
      resource: isText,
      version: isVersion,
      items: value => Array.isArray(value) && value.every(isItem),
    },
    optional: { server: isText, namespace: isText, mayBeOld: isFlag },
  },
  watch: {
    required: { watcher: isText, at: isTime, resource: isText, from: isVersion },
    optional: { server: isText, namespace: isText },
  },
  event: {
    required: {
      ...state,
      watcher: isText,
      at: isTime,
      event: oneOf('ADDED', 'MODIFIED', 'DELETED'),
      namespace: isText,
      name: isText,
    },
    optional: { holds: isTexts },
  },
  bookmark: { required: { watcher: isText, at: isTime, version: isVersion }, optional: {} },
  'watch-end': { required: { watcher: isText, at: isTime }, optional: { code: isCount } },
  quota: {
    required: { at: isTime, namespace: isText, resource: isText, hard: isCount, version: isVersion },
    optional: {},
  },
  fault: { required: { ...span, what: isText }, optional: {} },
  settled: { required: { at: isTime }, optional: {} },
};

function recordFrom(value: JsonObject): HistoryRecord {
  const { kind, ...rest } = value;
  const fields = Object.entries(fieldsOf).find(([name]) => name === kind)?.[1];
  if (fields === undefined) throw new TypeError(`kind must be one of ${Object.keys(fieldsOf).join(', ')}`);
  const problem = findProblem(fields, rest);
  if (problem !== undefined) throw new TypeError(`${String(kind)}: ${problem}`);
  const record = value as unknown as HistoryRecord; // Each of its fields was checked.
  assertConsistent(record);
  return record;
}

function assertConsistent(record: HistoryRecord): void {
  if ('start' in record && record.end < record.start) throw new RangeError('end is before start');
  if (record.kind !== 'write') return;
  const { verb, outcome } = record;
  if (verb !== 'delete' && record.value === undefined) throw new TypeError(`${verb}: value is missing`);
  if (outcome !== 'ok') return;
  if (record.name === undefined) throw new TypeError('an acknowledged write has a name');
  if (verb !== 'delete' && record.version === undefined) throw new TypeError(`${verb}: version is missing`);
}

function findProblem(
  { required, optional }: Fields,
  value: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const [name, check] of Object.entries(required)) {
    if (value[name] === undefined) return `${name} is missing`;
    if (!check(value[name])) return `${name} has a value that is not allowed`;
  }
  for (const [name, member] of Object.entries(value)) {
    if (name in required) continue;
    const check = optional[name];
    if (check === undefined) return `there is no field ${name}`;
    if (!check(member)) return `${name} has a value that is not allowed`;
  }
  return undefined;
}

function has(fields: Fields, value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    findProblem(fields, value as Readonly<Record<string, unknown>>) === undefined // Any object has members by name.
  );
}
