import { extensions, groups } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { custom, definition, json } from './heavy-bodies.ts';
import type { HeavyRequest } from './heavy-request.ts';

const definitions = `/apis/${groups.apiextensions}/v1/customresourcedefinitions`;
const customs = '/apis/stalls.example.com/v1/namespaces/stalls';

const patterns: Readonly<Record<string, string>> = {
  whole: '^.*$',
  nested: '^(a+)+$',
  twice: '(x+x+)+y',
  anything: '[\\s\\S]*',
  states: '(a|b)*a(a|b){20}c',
};

const million = 1_000_000;
const texts: Readonly<Record<string, string>> = {
  whole: 'a'.repeat(million),
  nested: `${'a'.repeat(million)}b`,
  twice: 'x'.repeat(million),
  anything: 'é'.repeat(million / 2),
  states: 'abbabaab'.repeat(million / 8),
};

/** A field of one long text, or a list of short ones, that a pattern or an expression has to match. */
function kindFor(plural: string, text: JsonObject): JsonObject {
  const properties = { text, list: { type: 'array', items: { ...text, maxLength: 64 } } };
  return definition(plural, { type: 'object', properties });
}

function rule(pattern: string): JsonObject {
  return {
    type: 'string',
    maxLength: 1_048_576,
    [extensions.validations]: [{ rule: `self.matches(${JSON.stringify(pattern)})` }],
  };
}

function ofPattern(name: string, kind: JsonObject, plural: string, fields: JsonObject): HeavyRequest {
  return {
    name,
    method: 'POST',
    path: `${customs}/${plural}?dryRun=All`,
    setup: () => [{ method: 'POST', path: definitions, body: json(kind) }],
    body: () => json(custom(plural, 'a', fields)),
  };
}

function ofPatterns([name, pattern]: readonly [string, string]): HeavyRequest[] {
  const plain = `patterns${name}`;
  const ruled = `rules${name}`;
  const pattered = kindFor(plain, { type: 'string', pattern });
  const many = Array.from({ length: 24_000 }, (_, i) => `${(texts[name] ?? '').slice(0, 20 + (i % 20))}${i}`);
  const listKind = definition(`listrules${name}`, {
    type: 'object',
    properties: {
      list: { type: 'array', maxItems: 25_000, items: { ...rule(pattern), maxLength: 64 } },
    },
  });
  return [
    ofPattern(`pattern ${pattern} on 1 MB`, pattered, plain, { text: texts[name] ?? '' }),
    ofPattern(`pattern ${pattern} on 24,000 texts`, pattered, plain, { list: many }),
    ofPattern(
      `matches(${pattern}) on 1 MB`,
      definition(ruled, { type: 'object', properties: { text: rule(pattern) } }),
      ruled,
      { text: texts[name] ?? '' },
    ),
    ofPattern(`matches(${pattern}) on 24,000 texts`, listKind, `listrules${name}`, { list: many }),
  ];
}

/** Texts that patterns of a schema have to match. */
export const patternRequests: readonly HeavyRequest[] = Object.entries(patterns).flatMap(ofPatterns);
