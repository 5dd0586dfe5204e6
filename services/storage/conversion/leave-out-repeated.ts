import {
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  readJson,
  setOwnProperty,
} from '@binnacle/api-objects';

/** A member or entry that repeats another one. */
export interface LeftOut {
  /** Place of its object or list, such as `/rules/0/apiGroups`. */
  readonly holder: string;
  /** The name of the member, or the index of the entry. */
  readonly at: string | number;
}

/**
 * Fields of the API whose lists are sets, or whose repeated entries have no meaning. Other lists keep all entries: a repeated argument
 * of a program may be intended.
 */
const sets: ReadonlySet<string> = new Set([
  'apiGroups',
  'finalizers',
  'groups',
  'nonResourceRules',
  'nonResourceURLs',
  'resourceNames',
  'resourceRules',
  'resources',
  'rules',
  'subjects',
  'taints',
  'tolerations',
  'values',
]);

/**
 * Leaves out the parts of a JSON text that its conversion made equal to others: of members with one name all but the one that had the
 * name before, or else the first; of equal entries of a set all but the first. Of the entries of one field manager the first gets the
 * fields of all. Parts that were equal before the conversion stay. `before` is the same text in the other names.
 */
export function leaveOutRepeated(
  before: string,
  after: string,
): { readonly json: string; readonly leftOut: readonly LeftOut[] } {
  const collection: Collection = { before, after, found: [], edits: [] };
  collect(collection, parseJson(before), { node: parseJson(after), path: [], isSet: false });
  const { found, edits } = collection;
  let json = after;
  for (const { start, end, text = '' } of [...found, ...edits].toSorted((a, b) => b.start - a.start))
    json = json.slice(0, start) + text + json.slice(end);
  return { json, leftOut: found.map(({ holder, at }) => ({ holder, at })) };
}

/** Returns a place, which begins with a slash, after other parts were left out; undefined for a place inside one of them. */
export function placeWithout(place: string, leftOut: readonly LeftOut[]): string | undefined {
  let moved = place;
  // From the last: a removed entry moves only those behind it.
  for (const { holder, at } of leftOut.toReversed()) {
    if (typeof at === 'string' || !moved.startsWith(`${holder}/`)) continue;
    const [index = '', ...rest] = moved.slice(holder.length + 1).split('/');
    if (Number(index) === at) return undefined;
    if (Number(index) > at) moved = [`${holder}/${Number(index) - 1}`, ...rest].join('/');
  }
  return moved;
}

/** Characters to remove, and their replacement; absent: none. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text?: string;
}

/** An entry that is left out, with its characters. */
type Found = LeftOut & Edit;

interface Collection {
  readonly before: string;
  readonly after: string;
  readonly found: Found[];
  readonly edits: Edit[];
}

interface Visit {
  readonly node: JsonNode;
  readonly path: readonly (string | number)[];
  readonly isSet: boolean;
}

function collect(collection: Collection, before: JsonNode, { node, path, isSet }: Visit): void {
  const { found } = collection;
  const isOfManagers = path.length === 2 && path.join() === 'metadata,managedFields';
  const gone = node.isObject
    ? repeatedMembers(before, node)
    : isOfManagers
      ? mergedManagers(collection, before, node)
      : isSet
        ? repeatedEntries(collection, before, node)
        : new Set<number>();
  const holder = path.map(step => `/${step}`).join('');
  for (const index of gone) {
    const { key } = node.parts[index] ?? {};
    found.push({ holder, at: key ?? index, ...findRange(node, index, gone) });
  }
  for (const [index, part] of node.parts.entries()) {
    const other = before.parts[index];
    if (gone.has(index) || other === undefined || collection.edits.some(isWithin(part.value))) continue;
    const { key = index } = part;
    const visit = { node: part.value, path: [...path, key], isSet: sets.has(String(key)) };
    collect(collection, other.value, visit);
  }
}

function repeatedMembers(before: JsonNode, { parts }: JsonNode): ReadonlySet<number> {
  const kept = new Map<string, number>();
  const gone = new Set<number>();
  for (const [index, { key = '' }] of parts.entries()) {
    const other = kept.get(key);
    const hadName = before.parts[index]?.key === key;
    if (other !== undefined) gone.add(hadName ? other : index);
    if (other === undefined || hadName) kept.set(key, index);
  }
  return gone;
}

function repeatedEntries(texts: Collection, before: JsonNode, { parts }: JsonNode): ReadonlySet<number> {
  const kept: { readonly now: Entry; readonly was: string }[] = [];
  const gone = new Set<number>();
  for (const [index, part] of parts.entries()) {
    const now = parseEntry(texts.after, part);
    const other = before.parts[index];
    const was = other ? texts.before.slice(other.value.start, other.value.end) : '';
    if (kept.some(each => each.was !== was && equalJson(each.now, now))) gone.add(index);
    else kept.push({ now, was });
  }
  return gone;
}

type Entry = JsonValue;

function parseEntry(json: string, { value }: JsonPart): Entry {
  return readJson(json.slice(value.start, value.end));
}

/** Merges entries of one manager, operation, version and subresource, of which readers would see only the last. */
function mergedManagers(texts: Collection, before: JsonNode, { parts }: JsonNode): ReadonlySet<number> {
  const kept: { readonly part: JsonPart; entry: JsonObject; readonly was: Entry; isMerged: boolean }[] = [];
  const gone = new Set<number>();
  for (const [index, part] of parts.entries()) {
    const entry = parseEntry(texts.after, part);
    const other = before.parts[index];
    if (!isJsonObject(entry) || other === undefined) continue;
    const was = entryIdentity(parseEntry(texts.before, other));
    const same = kept.find(
      each => !equalJson(each.was, was) && equalJson(entryIdentity(each.entry), entryIdentity(entry)),
    );
    if (same === undefined) {
      kept.push({ part, entry, was, isMerged: false });
      continue;
    }
    const fieldsV1 = union(same.entry['fieldsV1'], entry['fieldsV1']);
    const time = [same.entry['time'], entry['time']].map(each => String(each ?? '')).toSorted()[1] ?? '';
    same.entry = { ...same.entry, ...(time !== '' && { time }), ...(fieldsV1 !== undefined && { fieldsV1 }) };
    same.isMerged = true;
    gone.add(index);
  }
  for (const { part, entry } of kept.filter(({ isMerged }) => isMerged))
    texts.edits.push({ start: part.value.start, end: part.value.end, text: JSON.stringify(entry) });
  return gone;
}

/** Returns the identity of the writer of an entry's fields. */
function entryIdentity(entry: Entry): Entry {
  if (!isJsonObject(entry)) return null;
  const { fieldsV1: _, time: _1, ...identity } = entry;
  return identity;
}

/** Merges two sets of fields. */
function union(a: JsonValue | undefined, b: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(a) || !isJsonObject(b)) return a ?? b;
  const merged: JsonObject = { ...a };
  for (const key of Object.keys(b)) setOwnProperty(merged, key, union(ownProperty(a, key), b[key]) ?? null);
  return merged;
}

const isWithin =
  ({ start, end }: JsonNode) =>
  (edit: Edit): boolean =>
    edit.start === start && edit.end === end;

/** Finds the range of a part with the comma before it, or after it for the first remaining part. */
function findRange({ parts }: JsonNode, index: number, gone: ReadonlySet<number>) {
  const first = parts.findIndex((_, at) => !gone.has(at));
  const part = parts[index];
  const start = part?.start ?? 0;
  const end = part?.value.end ?? 0;
  return index < first
    ? { start, end: parts[index + 1]?.start ?? end }
    : { start: parts[index - 1]?.value.end ?? start, end };
}

/** A member of an object or an entry of a list. */
interface JsonPart {
  /** Undefined: an entry. */
  readonly key: string | undefined;
  readonly start: number;
  readonly value: JsonNode;
}

/** A value with its character range and its parts. */
interface JsonNode {
  readonly start: number;
  readonly end: number;
  readonly isObject: boolean;
  readonly parts: readonly JsonPart[];
}

const token = /[\s,:]*("(?:[^"\\]|\\.)*"|[{}[\]]|[^\s,:{}[\]"]+)/y;

/** Finds the parts of a valid JSON text. */
function parseJson(json: string): JsonNode {
  let at = 0;
  const next = (): { readonly text: string; readonly start: number } => {
    token.lastIndex = at;
    const [, text = ''] = token.exec(json) ?? [];
    at = text === '' ? json.length : token.lastIndex;
    return { text, start: at - text.length };
  };
  const valueFrom = ({ text, start }: ReturnType<typeof next>): JsonNode => {
    const isObject = text === '{';
    const parts: JsonPart[] = [];
    if (isObject || text === '[')
      for (let one = next(); one.text !== '}' && one.text !== ']' && one.text !== ''; one = next())
        parts.push(
          isObject
            ? { key: String(readJson(one.text, false)), start: one.start, value: valueFrom(next()) }
            : { key: undefined, start: one.start, value: valueFrom(one) },
        );
    return { start, end: at, isObject, parts };
  };
  return valueFrom(next());
}
