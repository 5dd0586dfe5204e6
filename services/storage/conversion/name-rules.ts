import type { ConvertedName, NameWords, PlainName } from './name-words.ts';
import { type JsonPath, rewriteJson } from './rewrite-json.ts';

/** The names of a direction, and those of the way back. */
export interface BothWays {
  readonly there: NameWords;
  readonly back: NameWords;
}

/** How a text is converted at its place, by the names of one direction. */
export type NameRule = (words: NameWords, text: string) => ConvertedName | undefined;

/** The place of an object, known from its key. */
export interface ObjectPlace {
  readonly resource: string;
  readonly namespace: string;
}

/** The rule of a part of a key: `@group`, `@namespace` or `@name`. */
export function ruleOfKey(object: ObjectPlace, part: string): NameRule {
  return part === '@name' ? nameRule(object) : anyName;
}

/** The rule of a value of an object. */
export function ruleAt(path: JsonPath, object: ObjectPlace, { there }: BothWays): NameRule {
  const [first, second, third] = path;
  if (first === 'metadata' && path.length === 2 && second === 'name') return nameRule(object);
  if (first === 'spec' && second === 'finalizers' && object.resource === 'namespaces')
    return plainName('namespaceFinalizer');
  if (first === 'metadata' && second === 'labels' && path.length === 3) {
    const label = String(third);
    if (there.isLabel('component', label)) return plainName('apiserver');
    const isCalledAsService = label === 'provider' || there.isLabel('serviceName', label);
    if (isOfServer(object) && isCalledAsService) return plainName('apiService');
  }
  return anyText;
}

/** The rule of a name of a member. */
export function fieldName(path: JsonPath, object: ObjectPlace): NameRule {
  if (!path.includes('fieldsV1')) return anyName;
  return object.resource === 'namespaces' && path.at(-1) === 'f:finalizers'
    ? inField(plainName('namespaceFinalizer'))
    : inField(anyName);
}

const anyName: NameRule = (words, text) => words.convert(text);

const plainName =
  (name: PlainName): NameRule =>
  (words, text) =>
    words.convertPlain(name, text) ?? words.convert(text);

/** A name, or the text of a JSON document with names in it. */
const anyText: NameRule = (words, text) => words.convert(text) ?? inJson(words, text);

/** The Service of the API, and what belongs to it, are called by a plain word; so is the lock of the controllers. */
function nameRule(object: ObjectPlace): NameRule {
  if (isOfServer(object)) return plainName('apiService');
  if (object.resource !== 'leases') return anyName;
  return (words, text) =>
    words.isSystemNamespace(object.namespace)
      ? (words.convertPlain('apiserver', text) ?? plainName('controllerLease')(words, text))
      : words.convert(text);
}

const resourcesOfServer = new Set(['services', 'endpoints', 'endpointslices']);

function isOfServer({ resource, namespace }: ObjectPlace): boolean {
  return namespace === 'default' && resourcesOfServer.has(resource);
}

/** Members of `fieldsV1`: `f:NAME`, and `k:` and `v:` with JSON behind. */
function inField(rule: NameRule): NameRule {
  return (words, text) => {
    const [sign, rest] = [text.slice(0, 2), text.slice(2)];
    if (sign === 'f:') return behind(sign, rule(words, rest));
    if (sign !== 'k:' && sign !== 'v:') return undefined;
    return behind(sign, convertStrings(words, rest, rule));
  };
}

function behind(sign: string, found: ConvertedName | undefined): ConvertedName | undefined {
  return found && { ...found, name: sign + found.name };
}

function inJson(words: NameWords, text: string): ConvertedName | undefined {
  return /^\s*[{[]/.test(text) && words.holdsMark(text) ? convertStrings(words, text, anyName) : undefined;
}

/** Converts the strings of a JSON text; undefined where it is none, or no string is a name. */
function convertStrings(words: NameWords, json: string, rule: NameRule): ConvertedName | undefined {
  let last: ConvertedName | undefined;
  const rewritten = rewriteOrNothing(json, text => {
    const found = rule(words, text);
    last = found ?? last;
    return found?.name;
  });
  return rewritten === undefined || last === undefined ? undefined : { name: rewritten, sort: last.sort };
}

function rewriteOrNothing(json: string, rewrite: (text: string) => string | undefined): string | undefined {
  try {
    return rewriteJson(json, ({ text }) => rewrite(text));
  } catch {
    return undefined;
  }
}
