import type { ConvertedName, NameWords, PlainName } from './name-words.ts';
import { type JsonPath, rewriteJson } from './rewrite-json.ts';

/** The names of both directions of a conversion. */
export interface BothWays {
  readonly there: NameWords;
  readonly back: NameWords;
}

/** The rule by which a text at some place is converted, with the names of one direction. */
export type NameRule = (words: NameWords, text: string) => ConvertedName | undefined;

/** The place of an object, known from its key. */
export interface ObjectPlace {
  readonly resource: string;
  readonly namespace: string;
}

/** Finds the rule for a part of a key: `@group`, `@namespace` or `@name`. */
export function ruleOfKey(object: ObjectPlace, part: string): NameRule {
  return part === '@name' ? nameRule(object) : anyName;
}

/** Finds the rule for a value of an object. */
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

/** Finds the rule for the name of a member. */
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

/** Converts a name, or a JSON document that contains names. */
const anyText: NameRule = (words, text) => words.convert(text) ?? inJson(words, text);

/**
 * Finds the rule for the name of an object: the Service of the API and its related objects have a plain word as their name, and so
 * has the lock of the controllers.
 */
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

/** Applies a rule to a member of `fieldsV1`: `f:NAME`, or `k:` and `v:` followed by JSON. */
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

/** Converts the strings of a JSON text; returns undefined for other texts, and where no string is a name. */
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
