import { type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';
import { createDigest, type KeptName, type KeptNames } from './kept-names.ts';
import { type LeftOut, leaveOutRepeated, placeWithout } from './leave-out-repeated.ts';
import {
  type BothWays,
  fieldName,
  type NameRule,
  type ObjectPlace,
  ruleAt,
  ruleOfKey,
} from './name-rules.ts';
import { type JsonPath, rewriteJson } from './rewrite-json.ts';

/** A stored object, without its revision. */
interface StoredValue {
  readonly key: StorageKey;
  readonly value: Uint8Array;
}

/** An object in the names of the other vocabulary. */
export interface ConvertedObject extends StoredValue {
  /** Data that converting back needs besides the names; undefined: none. */
  readonly kept: KeptNames | undefined;
  /** Number of converted names, by sort. */
  readonly names: ReadonlyMap<string, number>;
  /** Places of texts that hold a name and were left as they are. */
  readonly ambiguous: readonly string[];
}

/**
 * Converts a stored object. `known` is the data that an earlier conversion in the other direction kept. Bytes without names are not
 * changed; where the names alone would not lead back to these bytes, `kept` has the missing data.
 */
export function convertObject(
  object: StoredValue,
  words: BothWays,
  known: KeptNames | undefined,
): ConvertedObject {
  const { key, value, names, ambiguous, kept: keptNames, leftOut } = convertOnce(object, words, known);
  const whole = wholeBefore(known, object.value);
  const result = { key, value: whole ?? value, names, ambiguous };
  const kept = keptNames.length > 0 ? { key, names: keptNames } : undefined;
  const returned = convertOnce(result, { there: words.back, back: words.there }, kept);
  if (returned.key === object.key && Buffer.compare(returned.value, object.value) === 0)
    return { ...result, kept };
  const before = {
    digest: createDigest(result.value),
    value: Buffer.from(object.value).toString('base64'),
  };
  const said = whole === undefined && leftOut.length > 0 ? { leftOut: leftOut.map(placeKey) } : {};
  return { ...result, kept: { key, names: keptNames, ...said, whole: before } };
}

function placeKey({ holder, at }: LeftOut): string {
  return `${holder}/${at}`;
}

/** Converts the key of an object to the other vocabulary. */
export function convertKey(key: StorageKey, words: BothWays, known: KeptNames | undefined): StorageKey {
  return keyIn(key, createNotes(words, known));
}

function wholeBefore(known: KeptNames | undefined, value: Uint8Array): Uint8Array | undefined {
  if (known?.whole === undefined || known.whole.digest !== createDigest(value)) return undefined;
  return Buffer.from(known.whole.value, 'base64');
}

function convertOnce(object: StoredValue, words: BothWays, known: KeptNames | undefined) {
  const notes = createNotes(words, known);
  const key = keyIn(object.key, notes);
  const value = valueIn(object, notes);
  return { key, value, ...notes };
}

/** The input and the findings of one conversion of one object. */
interface Notes {
  readonly words: BothWays;
  readonly known: ReadonlyMap<string, KeptName>;
  readonly kept: KeptName[];
  readonly names: Map<string, number>;
  readonly ambiguous: string[];
  readonly leftOut: LeftOut[];
}

function createNotes(words: BothWays, known: KeptNames | undefined): Notes {
  const knownNames = new Map(known?.names.map(kept => [kept.place, kept]));
  return { words, known: knownNames, kept: [], names: new Map(), ambiguous: [], leftOut: [] };
}

/** A text with its places before and after the conversion. */
interface Text {
  readonly text: string;
  readonly rule: NameRule;
  readonly placeBefore: () => string;
  readonly placeAfter: (result: string) => string;
}

function converted({ text, rule, placeBefore, placeAfter }: Text, notes: Notes): string {
  const { words, known, kept, names, ambiguous } = notes;
  const remembered = known.size > 0 ? known.get(placeBefore()) : undefined;
  const found = remembered?.now === text ? undefined : rule(words.there, text);
  const result = remembered?.now === text ? remembered.was : (found?.name ?? text);
  if (found !== undefined) names.set(found.sort, (names.get(found.sort) ?? 0) + 1);
  const returned = rule(words.back, result)?.name ?? result;
  if (returned !== text) kept.push({ place: placeAfter(result), now: result, was: text });
  if (words.there.holdsName(result)) ambiguous.push(placeBefore());
  return result;
}

function keyIn(key: StorageKey, notes: Notes): StorageKey {
  const [group = '', resource = '', namespace = '', ...rest] = key.slice(1).split('/');
  const object = placeFromKey(key);
  const part = (place: string, text: string) =>
    converted(
      { text, rule: ruleOfKey(object, place), placeBefore: () => place, placeAfter: () => place },
      notes,
    );
  const name = part('@name', rest.join('/'));
  return storageKeyFrom(`/${part('@group', group)}/${resource}/${part('@namespace', namespace)}/${name}`);
}

function placeFromKey(key: StorageKey): ObjectPlace {
  const [, , resource = '', namespace = ''] = key.split('/');
  return { resource, namespace };
}

const plainFormat = 1;
const taggedFormat = 2;
const metadataStart = '"metadata":{';

/** Converts a value; one that is no stored object stays unchanged. */
function valueIn({ key, value }: StoredValue, notes: Notes): Uint8Array {
  const headerLength = value[0] === plainFormat ? 5 : value[0] === taggedFormat ? 13 : 0;
  if (headerLength === 0) return value;
  const object = placeFromKey(key);
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const before = bytes.toString('utf8', headerLength);
  const rewritten = rewriteJson(before, ({ text, isKey, path, originalPath }) => {
    // A token is signed together with its names: it stays unchanged, and is no longer valid.
    if (
      object.resource === 'secrets' &&
      originalPath.join() === 'type' &&
      notes.words.there.isTokenType(text)
    )
      notes.ambiguous.push('/data/token');
    const place = (at: JsonPath, own: string) => `/${(isKey ? [...at, `${own}:`] : at).join('/')}`;
    return converted(
      {
        text,
        rule: isKey ? fieldName(originalPath, object) : ruleAt(originalPath, object, notes.words),
        placeBefore: () => place(originalPath, text),
        placeAfter: result => place(path, result),
      },
      notes,
    );
  });
  if (rewritten === before) return value;
  const { json: after, leftOut } = leaveOutRepeated(before, rewritten);
  leaveOut(notes, leftOut);
  const written = Buffer.concat([bytes.subarray(0, headerLength), Buffer.from(after)]);
  const prefix = after.slice(0, after.indexOf(metadataStart) + metadataStart.length);
  written.writeUInt32BE(Buffer.byteLength(prefix), 1);
  return written;
}

/** Records parts that are left out, and moves the places of kept names behind them. */
function leaveOut({ kept, leftOut }: Notes, found: readonly LeftOut[]): void {
  if (found.length === 0) return;
  leftOut.push(...found);
  for (const name of kept.splice(0)) {
    const place = placeWithout(name.place, found);
    if (place !== undefined) kept.push({ ...name, place });
  }
}
