import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldPath, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { structuralSchemaErrors } from './structural-schema.ts';

const listFindings = (schema: JsonObject) =>
  structuralSchemaErrors(schema, fieldPath('s')).map(error => `${error.type} ${error.field}`);
/** An object with one property `p`. */
const withProperty = (p: JsonObject) => ({ type: 'object', properties: { p } });
const p = 's.properties[p]';
const text = { type: 'string' };

const cases: readonly [what: string, schema: JsonObject, findings: readonly string[]][] = [
  ['an object', { type: 'object' }, []],
  ['nothing', {}, ['Required s.type']],
  ['a text at the root', text, ['Invalid s.type']],
  ['a root that may be null', { type: 'object', nullable: true }, ['Forbidden s.nullable']],
  ['a field without type', withProperty({}), [`Required ${p}.type`]],
  ['a reference beside what it should describe', withProperty({ $ref: '#' }), [`Forbidden ${p}.$ref`]],
  ['an unknown type', withProperty({ type: 'x' }), [`NotSupported ${p}.type`]],
  ['a list without elements', withProperty({ type: 'array' }), [`Required ${p}.items`]],
  ['elements without type', withProperty({ type: 'array', items: {} }), [`Required ${p}.items.type`]],
  [
    'elements of several schemas',
    withProperty({ type: 'array', items: [text] as never }),
    [`Forbidden ${p}.items`],
  ],
  ['a field of anything', withProperty({ 'x-cluster-preserve-unknown-fields': true }), []],
  [
    'unknown fields not kept',
    withProperty({ type: 'object', 'x-cluster-preserve-unknown-fields': false }),
    [`Invalid ${p}.x-cluster-preserve-unknown-fields`],
  ],
  ['an integer or a text', withProperty({ 'x-cluster-int-or-string': true }), []],
  ['an integer or a text, with a type', withProperty({ ...text, 'x-cluster-int-or-string': true }), []],
  [
    'an integer or a text, said twice',
    withProperty({ 'x-cluster-int-or-string': true, anyOf: [{ type: 'integer' }, text] }),
    [],
  ],
  [
    'an integer or a text, said twice with more',
    withProperty({
      'x-cluster-int-or-string': true,
      allOf: [{ anyOf: [{ type: 'integer' }, text] }, { pattern: '^a' }],
    }),
    [],
  ],
  [
    'an integer or a text, said in other forms',
    withProperty({
      'x-cluster-int-or-string': true,
      anyOf: [text, { type: 'integer' }],
      oneOf: [{ type: 'integer' }, text],
      allOf: [{ maxLength: 3 }, { anyOf: [{ type: 'integer' }, text] }],
      not: { type: 'integer' },
    }),
    ['allOf[1].anyOf[0]', 'allOf[1].anyOf[1]', 'anyOf[0]', 'anyOf[1]', 'oneOf[0]', 'oneOf[1]', 'not'].map(
      branch => `Forbidden ${p}.${branch}.type`,
    ),
  ],
  [
    'an integer or a text, said with a bound within',
    withProperty({ 'x-cluster-int-or-string': true, anyOf: [{ type: 'integer', minimum: 1 }, text] }),
    [`Forbidden ${p}.anyOf[0].type`, `Forbidden ${p}.anyOf[1].type`],
  ],
  [
    'an integer or a text, and more',
    withProperty({
      'x-cluster-int-or-string': true,
      'x-cluster-preserve-unknown-fields': true,
    }),
    [`Invalid ${p}.x-cluster-preserve-unknown-fields`],
  ],
  [
    'an integer or a text that is an embedded object',
    withProperty({ ...withProperty(text), 'x-cluster-int-or-string': true, 'x-cluster-embedded-type': true }),
    [`Invalid ${p}.x-cluster-embedded-type`],
  ],
  [
    'an embedded object of anything',
    withProperty({
      type: 'object',
      'x-cluster-embedded-type': true,
      'x-cluster-preserve-unknown-fields': true,
    }),
    [],
  ],
  [
    'an embedded object of nothing',
    withProperty({ type: 'object', 'x-cluster-embedded-type': true }),
    [`Required ${p}.properties`],
  ],
  [
    'an embedded object without type',
    withProperty({ 'x-cluster-embedded-type': true }),
    [`Required ${p}.properties`, `Required ${p}.type`],
  ],
  [
    'an embedded object that is a map',
    withProperty({ type: 'object', 'x-cluster-embedded-type': true, additionalProperties: text }),
    [`Required ${p}.properties`, `Forbidden ${p}.additionalProperties`],
  ],
  ['a map', withProperty({ type: 'object', additionalProperties: text }), []],
  [
    'a map of anything',
    withProperty({ type: 'object', additionalProperties: {} }),
    [`Required ${p}.additionalProperties.type`],
  ],
  [
    'a map with fields',
    withProperty({ ...withProperty(text), additionalProperties: text }),
    [`Forbidden ${p}.additionalProperties`],
  ],
  ['a map of nothing', withProperty({ type: 'object', additionalProperties: false }), []],
  ['a map of anything, with fields', withProperty({ ...withProperty(text), additionalProperties: true }), []],
  [
    'fields that a map denies',
    withProperty({ ...withProperty(text), additionalProperties: false }),
    [`Forbidden ${p}.additionalProperties`],
  ],
  ['a map at the root', { type: 'object', additionalProperties: text }, ['Forbidden s.additionalProperties']],
  [
    'anything at the root',
    { ...withProperty(text), additionalProperties: true },
    ['Forbidden s.additionalProperties'],
  ],
  [
    'what is not supported',
    {
      type: 'object',
      $ref: '#',
      id: 'x',
      definitions: {},
      dependencies: {},
      patternProperties: {},
      uniqueItems: true,
    },
    ['$ref', 'definitions', 'dependencies', 'id', 'patternProperties', 'uniqueItems'].map(
      key => `Forbidden s.${key}`,
    ),
  ],
  ['a pattern that is none', withProperty({ ...text, pattern: '(' }), [`Invalid ${p}.pattern`]],
  [
    'a pattern that is too large',
    withProperty({ ...text, pattern: 'a{1000}'.repeat(11) }),
    [`Invalid ${p}.pattern`],
  ],
  ['a pattern in RE2 syntax', withProperty({ ...text, pattern: '(?i)^[[:alpha:]]+\\-\\z' }), []],
  [
    'names in metadata',
    { type: 'object', properties: { metadata: withProperties({ name: { ...text, maxLength: 9 } }) } },
    [],
  ],
  [
    'labels in metadata',
    {
      type: 'object',
      properties: { metadata: withProperties({ labels: { type: 'object' } }), kind: { type: 'object' } },
    },
    ['Invalid s.properties[kind].type', 'Forbidden s.properties[metadata]'],
  ],
  [
    'metadata of another type',
    { type: 'object', properties: { metadata: text } },
    ['Invalid s.properties[metadata].type'],
  ],
  ...[
    { required: ['name'] },
    { description: 'd' },
    { maxProperties: 1 },
    { 'x-cluster-preserve-unknown-fields': true },
    { anyOf: [{ required: ['name'] }] },
  ].map((more): [string, JsonObject, string[]] => [
    `metadata with ${Object.keys(more)}`,
    { type: 'object', properties: { metadata: { ...withProperties({ name: text }), ...more } } },
    ['Forbidden s.properties[metadata]'],
  ]),
  [
    'metadata that says nothing more in other words',
    {
      type: 'object',
      properties: { metadata: { type: 'object', required: [], description: '', nullable: false } },
    },
    [],
  ],
  [
    'metadata of an embedded object',
    withProperty({
      ...withProperties({
        apiVersion: { ...text, default: 'v1' },
        kind: { ...text, enum: ['Pod'] },
        metadata: {
          ...withProperties({ labels: { type: 'object', additionalProperties: text } }),
          required: ['labels'],
        },
      }),
      'x-cluster-embedded-type': true,
    }),
    [],
  ],
  [
    'metadata of an embedded object, of another type',
    withProperty({
      ...withProperties({ metadata: text, kind: { type: 'integer' } }),
      'x-cluster-embedded-type': true,
    }),
    [`Invalid ${p}.properties[kind].type`, `Invalid ${p}.properties[metadata].type`],
  ],
  [
    'defaults in what every object has',
    {
      type: 'object',
      properties: {
        kind: { ...text, default: 'K' },
        metadata: { ...withProperties({ name: { ...text, default: 'a' } }), default: {} },
      },
    },
    ['kind', 'metadata', 'metadata].properties[name'].map(key => `Forbidden s.properties[${key}].default`),
  ],
  [
    'defaults in the metadata of an embedded object',
    withProperty({
      ...withProperties({
        apiVersion: { ...text, default: 'a/b/c' },
        kind: { ...text, default: 'Pod' },
        metadata: {
          ...withProperties({
            name: { ...text, default: '..' },
            namespace: { ...text, default: 'n' },
            labels: { type: 'object', additionalProperties: { ...text, default: 'x' } },
            finalizers: { type: 'array', items: { ...text, default: 'not valid' } },
            generation: { type: 'string', default: 'x' },
          }),
          default: { labels: { a: 'b' } },
        },
      }),
      'x-cluster-embedded-type': true,
    }),
    [
      `Invalid ${p}.properties[apiVersion].default`,
      ...[
        ['Invalid', 'name].default'],
        ['Forbidden', 'labels].additionalProperties.default'],
        ['Invalid', 'finalizers].items.default'],
        ['Invalid', 'generation].default'],
      ].map(([type, at]) => `${type} ${p}.properties[metadata].properties[${at}`),
    ],
  ],
  [
    'an embedded object in the metadata of another',
    withProperty({
      ...withProperties({
        metadata: withProperties({
          annotations: { ...withProperties({ a: text }), 'x-cluster-embedded-type': true },
        }),
      }),
      'x-cluster-embedded-type': true,
    }),
    [`Forbidden ${p}.properties[metadata].properties[annotations].x-cluster-embedded-type`],
  ],
  ['a field that is called metadata', withProperty(withProperties({ metadata: text })), []],
  ['a map type', { type: 'object', 'x-cluster-map-type': 'atomic' }, []],
  [
    'an unknown map type',
    { type: 'object', 'x-cluster-map-type': 'x' },
    ['NotSupported s.x-cluster-map-type'],
  ],
  ['a map type of a text', withProperty({ ...text, 'x-cluster-map-type': 'atomic' }), [`Invalid ${p}.type`]],
  ['a list type of a text', withProperty({ ...text, 'x-cluster-list-type': 'set' }), [`Invalid ${p}.type`]],
  ['a set of texts', withProperty(list('set', text)), []],
  ['an unknown list type', withProperty(list('x', text)), [`NotSupported ${p}.x-cluster-list-type`]],
  [
    'a set of objects',
    withProperty(list('set', { type: 'object' })),
    [`Invalid ${p}.items.x-cluster-map-type`],
  ],
  [
    'a set of atomic objects',
    withProperty(list('set', { type: 'object', 'x-cluster-map-type': 'atomic' })),
    [],
  ],
  ['a set of sets', withProperty(list('set', list('set', text))), [`Invalid ${p}.items.x-cluster-list-type`]],
  [
    'a set of nulls',
    withProperty(list('set', { ...text, nullable: true })),
    [`Forbidden ${p}.items.nullable`],
  ],
  ['a map by name', withProperty(map(['name'], { required: ['name'] })), []],
  [
    'a map by a default',
    withProperty(map(['name'], { properties: { name: { ...text, default: 'a' } } })),
    [],
  ],
  [
    'a map by what may be missing',
    withProperty(map(['name'], {})),
    [`Required ${p}.items.properties[name].default`],
  ],
  ['a map by nothing', withProperty(map([], {})), [`Required ${p}.x-cluster-list-map-keys`]],
  ['a map by what is not there', withProperty(map(['x'], {})), [`Invalid ${p}.x-cluster-list-map-keys`]],
  [
    'a map by a name twice',
    withProperty(map(['name', 'name'], { required: ['name'] })),
    [`Duplicate ${p}.x-cluster-list-map-keys[1]`],
  ],
  [
    'a map by an object that may be null',
    withProperty(
      map(['name'], {
        nullable: true,
        required: ['name'],
        properties: { name: { type: 'object', nullable: true } },
      }),
    ),
    [
      `Forbidden ${p}.items.nullable`,
      `Invalid ${p}.items.properties[name].type`,
      `Forbidden ${p}.items.properties[name].nullable`,
    ],
  ],
  [
    'a map of texts',
    withProperty({ ...list('map', text), 'x-cluster-list-map-keys': ['a'] }),
    [`Invalid ${p}.items.type`],
  ],
  [
    'keys without a map',
    withProperty({ ...list('set', text), 'x-cluster-list-map-keys': ['a'] }),
    [`Invalid ${p}.x-cluster-list-type`],
  ],
  [
    'logic about the structure',
    { ...withProperty(text), anyOf: [{ properties: { p: { minLength: 1 } } }, { required: ['p'] }] },
    [],
  ],
  [
    'logic instead of structure',
    { ...withProperty(text), allOf: [{ properties: { p: { type: 'string', default: 'a' }, q: {} } }] },
    [
      'Forbidden s.allOf[0].properties[p].default',
      'Forbidden s.allOf[0].properties[p].type',
      'Required s.properties[q]',
    ],
  ],
  [
    'logic within logic',
    {
      ...withProperty(list('set', text)),
      not: { oneOf: [{ properties: { p: { items: { title: 'x' } } } }] },
    },
    ['Forbidden s.not.oneOf[0].properties[p].items.title'],
  ],
  [
    'a pattern that is none, in logic',
    { ...withProperty(text), anyOf: [{ properties: { p: { pattern: '(' } } }] },
    ['Invalid s.anyOf[0].properties[p].pattern'],
  ],
  [
    'what is not supported, in logic',
    withProperty({ ...text, oneOf: [{ uniqueItems: true }, { not: { $ref: '#' } }] }),
    [`Forbidden ${p}.oneOf[0].uniqueItems`, `Forbidden ${p}.oneOf[1].not.$ref`],
  ],
  [
    'logic about metadata',
    {
      type: 'object',
      properties: { metadata: withProperties({ name: text }) },
      anyOf: [{ properties: { metadata: { properties: { name: { minLength: 2 } } } } }],
    },
    ['Forbidden s.anyOf[0].properties[metadata]'],
  ],
  [
    'logic that describes',
    {
      ...withProperty(text),
      not: { description: 'd', nullable: true, externalDocs: { url: 'u' }, additionalProperties: false },
    },
    ['additionalProperties', 'description', 'externalDocs', 'nullable'].map(key => `Forbidden s.not.${key}`),
  ],
  [
    'logic about elements of no list',
    { ...withProperty(text), not: { items: { minLength: 1 } } },
    ['Required s.items'],
  ],
  ['a rule', { type: 'object', 'x-cluster-validations': [{ rule: 'true' }] }, []],
  [
    'rules of no form',
    {
      type: 'object',
      'x-cluster-validations': [
        { rule: ' ' },
        { rule: 'a\nb' },
        { rule: 'a', message: ' ' },
        { rule: 'a', message: 'b\nc' },
      ],
    },
    [
      'Required s.x-cluster-validations[0].rule',
      'Required s.x-cluster-validations[1].message',
      'Invalid s.x-cluster-validations[2].message',
      'Invalid s.x-cluster-validations[3].message',
    ],
  ],
];

function withProperties(properties: JsonObject): JsonObject {
  return { type: 'object', properties };
}

function list(listType: string, items: JsonObject): JsonObject {
  return { type: 'array', items, 'x-cluster-list-type': listType };
}

function map(keys: string[], items: JsonObject): JsonObject {
  const elements = { type: 'object', properties: { name: text }, ...items };
  return { ...list('map', elements), 'x-cluster-list-map-keys': keys };
}

describe('a structural schema', () => {
  for (const [what, schema, findings] of cases)
    it(`with ${what}`, () => assert.deepEqual(listFindings(schema), findings));
});

const embeddedWithDefault = (metadata: JsonValue): JsonObject => ({
  type: 'object',
  'x-cluster-embedded-type': true,
  'x-cluster-preserve-unknown-fields': true,
  default: { apiVersion: 'v1', kind: 'Pod', metadata },
});

const defaults: readonly [what: string, property: JsonObject, isFine: boolean][] = [
  ['of the type', { ...text, default: 'a' }, true],
  ['of another type', { ...text, default: 1 }, false],
  ['that is null, which is none', { ...text, default: null }, true],
  ['that is null where that is fine', { ...text, nullable: true, default: null }, true],
  ['outside the enumeration', { ...text, enum: ['b'], default: 'a' }, false],
  ['that is too long', { ...text, maxLength: 1, default: 'aa' }, false],
  ['that is too short', { ...text, minLength: 1, default: '' }, false],
  ['that matches the pattern', { ...text, pattern: '^a+$', default: 'aa' }, true],
  ['that does not', { ...text, pattern: '^b+$', default: 'aa' }, false],
  ['that takes for ever to match', { ...text, pattern: '^(a+)+$', default: `${'a'.repeat(60)}b` }, false],
  ['of a format', { ...text, format: 'ipv4', default: '10.0.0.1' }, true],
  ['that is not of the format', { ...text, format: 'ipv4', default: '::1' }, false],
  ['within bounds', { type: 'integer', minimum: 1, maximum: 3, multipleOf: 3, default: 3 }, true],
  ['below the minimum', { type: 'integer', minimum: 1, default: 0 }, false],
  ['at an exclusive maximum', { type: 'number', maximum: 1, exclusiveMaximum: true, default: 1 }, false],
  ['that is no multiple', { type: 'integer', multipleOf: 2, default: 3 }, false],
  ['that is no integer', { type: 'integer', default: 1.5 }, false],
  ['that is beyond 32 bits', { type: 'integer', format: 'int32', default: 2 ** 31 }, true],
  ['of too many elements', { type: 'array', items: text, maxItems: 1, default: ['a', 'b'] }, false],
  ['of too few elements', { type: 'array', items: text, minItems: 1, default: [] }, false],
  ['with a wrong element', { type: 'array', items: text, default: [1] }, false],
  ['with a required field', { ...withProperty(text), required: ['p'], default: { p: 'a' } }, true],
  ['without a required field', { ...withProperty(text), required: ['p'], default: {} }, false],
  [
    'that is completed by another default',
    { ...withProperty({ ...text, default: 'b' }), required: ['p'], default: {} },
    true,
  ],
  ['with an unknown field', { ...withProperty(text), default: { q: 1 } }, false],
  [
    'with an unknown field that is kept',
    { type: 'object', 'x-cluster-preserve-unknown-fields': true, default: { q: 1 } },
    true,
  ],
  [
    'with too many fields',
    { type: 'object', additionalProperties: text, maxProperties: 1, default: { a: '', b: '' } },
    false,
  ],
  [
    'with too few fields',
    { type: 'object', additionalProperties: text, minProperties: 1, default: {} },
    false,
  ],
  ['for which one of two holds', { ...text, oneOf: [{ minLength: 1 }, { maxLength: 0 }], default: '' }, true],
  ['for which both hold', { ...text, oneOf: [{ minLength: 1 }, { maxLength: 9 }], default: 'a' }, false],
  ['for which none holds', { ...text, anyOf: [{ minLength: 2 }, { maxLength: 0 }], default: 'a' }, false],
  ['for which not all hold', { ...text, allOf: [{ minLength: 2 }, { maxLength: 9 }], default: 'a' }, false],
  ['that must not be', { ...text, not: { enum: ['a'] }, default: 'a' }, false],
  ['that is an integer or a text', { 'x-cluster-int-or-string': true, default: 1 }, true],
  ['that is neither', { 'x-cluster-int-or-string': true, default: true }, false],
  [
    'that leaves out what every object inherits',
    { type: 'object', properties: { constructor: text, toString: { ...text, default: 'a' } }, default: {} },
    true,
  ],
  ['that is an embedded object', embeddedWithDefault({ labels: { a: 'b' } }), true],
  ['whose metadata is a text', embeddedWithDefault('a'), false],
  ['whose metadata has a text for finalizers', embeddedWithDefault({ finalizers: 'x' }), false],
  ['whose metadata has a text for owners', embeddedWithDefault({ ownerReferences: 'a' }), false],
  ['whose metadata has an empty owner', embeddedWithDefault({ ownerReferences: [null] }), false],
  ['whose metadata has a number for an annotation', embeddedWithDefault({ annotations: { a: 1 } }), false],
];

describe('the default of a field', () => {
  for (const [what, property, isFine] of defaults)
    it(`${what} is ${isFine ? 'accepted' : 'refused'}`, () => {
      const findings = listFindings(withProperty(property)).filter(finding => finding.includes('default'));
      assert.equal(findings.length === 0, isFine, findings.join());
    });
});
