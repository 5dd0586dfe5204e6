import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { inThisVocabulary } from '@binnacle/api-names/testing';
import { declaredMessages, messageNamed } from './descriptors/messages.ts';
import { fieldFact, messageFact, messageKey } from './test-drivers/field-facts.ts';

/** The properties of a message in release 1.26: see `messageFact`, and `fieldFact` for each field. */
interface MessageFacts {
  readonly is?: string;
  readonly fields: readonly string[];
}

const fixtures = new URL('./fixtures/fields/', import.meta.url);

/** By package and name, for example `apps.v1.Deployment`. */
const released = new Map<string, MessageFacts>(
  readdirSync(fixtures).flatMap(file => {
    const messages: Record<string, MessageFacts> = JSON.parse(
      inThisVocabulary(readFileSync(new URL(file, fixtures), 'utf8')),
    );
    return Object.entries(messages).map(
      ([name, facts]) => [`${file.slice(0, -'.json'.length)}.${name}`, facts] as const,
    );
  }),
);

/** The definitions, in the notation of the fixtures. */
const defined = new Map<string, MessageFacts>(
  declaredMessages().map(message => {
    const definition = messageNamed(`${message.package}.${message.name}`);
    const is = messageFact(message, definition);
    const fields = message.fields.map((declared, index) => {
      const field = definition.wireFields[index];
      assert.ok(field);
      return fieldFact({ declared, definition: field, message });
    });
    return [messageKey(message), { ...(is !== '' && { is }), fields }] as const;
  }),
);

const fromTheRequest = 'is of the vocabulary of the request: a rule of the kind fills it in';
const byteText = 'how owners combine is said of lists, and a text of bytes is always one value';
const fromTheParent = 'depends on where the message stands: a rule of the kind fills it in';
const notInJson = 'the message stands in the wire format only, so that its presence in JSON says nothing';

/** Intended differences: the release's field, the defined field, and the reason. */
const known: readonly (readonly [message: string, released: string, defined: string, reason: string])[] = [
  [
    'apiextensions.v1.JSONSchemaProps',
    'x-cluster-embedded-resource(xClusterEmbeddedResource) 39 bool optional',
    'x-cluster-embedded-type(xClusterEmbeddedType) 39 bool optional',
    'the specification writes it so',
  ],
  [
    'rbac.v1.RoleRef',
    'apiGroup 1 string default="rbac.authorization.cluster.io"',
    'apiGroup 1 string',
    fromTheRequest,
  ],
  [
    'storage.v1.CSIStorageCapacityList',
    'items 2 []storage.v1.CSIStorageCapacity list=map(name)',
    'items 2 []storage.v1.CSIStorageCapacity',
    'an element has no field called name',
  ],
  [
    'apiregistration.v1.APIServiceSpec',
    'caBundle 5 bytes optional list=atomic',
    'caBundle 5 bytes optional',
    byteText,
  ],
  [
    'certificates.v1.CertificateSigningRequestSpec',
    'request 1 bytes list=atomic',
    'request 1 bytes',
    byteText,
  ],
  [
    'certificates.v1.CertificateSigningRequestStatus',
    'certificate 2 bytes optional list=atomic',
    'certificate 2 bytes optional',
    byteText,
  ],
  [
    'core.v1.ConfigMap',
    'data 2 map:string optional default={}',
    'data 2 map:string optional',
    'an empty map is left out of JSON, so that no client sees the default',
  ],
  [
    'core.v1.PodSpec',
    'enableServiceLinks 30 bool optional pointer default=true',
    'enableServiceLinks 30 bool optional pointer',
    fromTheParent,
  ],
  [
    'apps.v1.StatefulSetUpdateStrategy',
    'type 1 string optional enum=OnDelete|RollingUpdate default="RollingUpdate"',
    'type 1 string optional enum=OnDelete|RollingUpdate',
    'a rule of the kind fills it in together with the partition, which depends on it',
  ],
  ...[
    ['parallelism 1 int32 optional pointer', '1'],
    ['backoffLimit 7 int32 optional pointer', '6'],
    ['completionMode 9 string optional pointer enum=Indexed|NonIndexed', '"NonIndexed"'],
    ['suspend 10 bool optional pointer', 'false'],
  ].map(
    ([field = '', value]) => ['batch.v1.JobSpec', `${field} default=${value}`, field, fromTheParent] as const,
  ),
  [
    'batch.v1.PodFailurePolicyOnPodConditionsPattern',
    'status 2 string default="True"',
    'status 2 string',
    fromTheParent,
  ],
  ...[
    ['core.v1.NodeResources', 'capacity 1 map:resource.Quantity'],
    ['runtime.Unknown', 'raw 2 bytes'],
    ['runtime.Unknown', 'contentEncoding 3 string'],
    ['runtime.Unknown', 'contentType 4 string'],
  ].map(([message = '', field = '']) => [message, `${field} noJson`, field, notInJson] as const),
];

/** Messages without a wire form: their fields have no numbers, and libs/codecs writes them as JSON. */
const withoutWireForm = ['Table', 'TableColumnDefinition', 'TableRow', 'TableRowCondition'].map(
  name => `meta.v1.${name}`,
);

/** Messages of versions for which the fixtures only contain resources, and messages without a wire form. */
const withoutFacts = /^(flowcontrol\.v1beta2|storage\.v1beta1|version)\./;

describe('the fields of release 1.26', () => {
  const compared = [...released].filter(([name]) => !withoutWireForm.includes(name));

  for (const [name, { is, fields }] of compared) {
    it(`${name} has the numbers, types, presence, markers and defaults of the release`, () => {
      const own = defined.get(name);
      assert.ok(own, `${name} is not defined`);
      assert.equal(own.is, is);
      const expected = fields.map(fact => {
        const difference = known.find(([message, fromRelease]) => message === name && fromRelease === fact);
        return difference?.[2] ?? fact;
      });
      assert.deepEqual([...own.fields].sort(), expected.sort());
    });
  }

  it('are all present: 2,063 with a number', () => {
    const numbered = compared.flatMap(([, { fields }]) => fields);
    const count = (pattern: RegExp) => numbered.filter(fact => pattern.test(fact)).length;
    assert.deepEqual(
      {
        files: readdirSync(fixtures).length,
        messages: released.size,
        numbered: numbered.length,
        lists: count(/ \[\]/),
        maps: count(/ map:/),
        optional: count(/ optional\b/),
        always: count(/ always\b/),
        pointers: count(/ pointer\b/),
        inlined: count(/ inline\b/),
        listTypes: count(/ list=/),
        listKeys: count(/ list=map\(/),
        mapTypes: count(/ map=/),
        structTypes: count(/ struct=/) + compared.filter(([, { is = '' }]) => is.includes('struct=')).length,
        strategies: count(/ patch=/),
        mergeKeys: count(/ patch=[\w,]+\(/),
        enums: count(/ enum=/),
        defaults: count(/ default=/),
      },
      {
        files: 32,
        messages: 566,
        numbered: 2063,
        lists: 308,
        maps: 49,
        optional: 1522,
        always: 297,
        pointers: 522,
        inlined: 15,
        listTypes: 68,
        listKeys: 18,
        mapTypes: 4,
        structTypes: 25,
        strategies: 49,
        mergeKeys: 45,
        enums: 80,
        defaults: 115,
      },
    );
  });

  it('are the only fields', () => {
    const others = [...defined.keys()].filter(name => !released.has(name) && !withoutFacts.test(name));
    assert.deepEqual(others, []);
    for (const name of withoutWireForm) assert.equal(defined.has(name), false, name);
  });

  for (const [message, fromRelease, own, reason] of known) {
    it(`intentionally differ at ${message}: ${fromRelease}: ${reason}`, () => {
      assert.ok(released.get(message)?.fields.includes(fromRelease));
      assert.ok(defined.get(message)?.fields.includes(own));
      assert.notEqual(fromRelease, own);
    });
  }
});
