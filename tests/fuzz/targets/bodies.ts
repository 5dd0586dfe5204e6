import { formatApiVersion } from '@binnacle/api-objects';
import {
  applyDefaults,
  createTypeRegistry,
  type ResourceDefinition,
  validateObject,
} from '@binnacle/api-types';
import { encodeProtobuf, encodeStored } from '@binnacle/codecs';
import { decodeBodyAtOnce } from '@binnacle/codecs/testing';
import { encodeYaml } from '@binnacle/codecs/texts';
import { type FuzzTarget, isClientMistake } from './fuzz-target.ts';

const registry = createTypeRegistry();
const definitions = [
  kind('', 'v1', 'ConfigMap'),
  kind('', 'v1', 'Pod'),
  kind('apps', 'v1', 'Deployment'),
  kind('apiextensions.cluster.io', 'v1', 'CustomResourceDefinition'),
];

const pod = {
  metadata: { name: 'a', labels: { app: 'web' }, finalizers: ['example.com/a'], creationTimestamp: null },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i',
        ports: [{ containerPort: 80 }],
        resources: { limits: { cpu: '1', memory: '2Gi' } },
      },
    ],
    terminationGracePeriodSeconds: 30,
    tolerations: [{ key: 'a', operator: 'Exists' }],
  },
};
const definition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'string', pattern: '^a+$' } } },
            },
          },
        },
      },
    ],
  },
};
const bodies = [
  { metadata: { name: 'a' }, data: { a: 'b', c: '' }, binaryData: { d: 'AAA=' } },
  pod,
  { metadata: { name: 'a' }, spec: { selector: { matchLabels: { a: 'b' } }, template: pod, replicas: 3 } },
  definition,
];

const jsonWords = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a":',
    '"a"',
    'null',
    'true',
    '1',
    '{"a":',
    '[[',
    '\\u0000',
    '\\ud800',
  ],
  ...[
    '"metadata":{',
    '"name":',
    '"labels":{',
    '"__proto__":',
    '"kind":"Pod"',
    '"apiVersion":"v1"',
    '"spec":',
    '"status":',
  ],
  ...[
    '"managedFields":[',
    '"finalizers":[""',
    '"x-kubernetes-map-type":',
    '"default":',
    '"allOf":[',
    '\u{1f600}',
    ' ',
  ],
];

/** JSON bodies: decoding, defaults, validation and the stored form. */
export const jsonBodies: FuzzTarget = {
  name: 'json-bodies',
  seeds: [...bodies.map(body => JSON.stringify(body)), '{}', '[]', 'null'],
  words: jsonWords,
  run: input => decodeAll(input, 'application/json'),
};

/** YAML bodies. */
export const yamlBodies: FuzzTarget = {
  name: 'yaml-bodies',
  pace: 0.5,
  seeds: [
    ...bodies.map(body => encodeYaml(body)),
    'a: &x [1, {b: c}]\nd: *x\n',
    'a: |\n  b\n   c\n\nd: >-\n  e\n  f\n',
    "? a\n: 'b''c'\n? \"d\\x41\"\n:\n  - - e\n    - f\n",
    '%YAML 1.2\n---\n{a: [b, c], "d": e}\n...\n---\nf\n',
  ],
  words: [
    ...[
      '? ',
      ': ',
      '- ',
      '\n',
      '  ',
      '    ',
      '{',
      '}',
      '[',
      ']',
      ', ',
      '&a ',
      '*a ',
      '!!str ',
      '!a ',
      '|',
      '>',
      '|2-\n',
      '>+\n',
    ],
    ...[
      "'",
      '"',
      '#',
      ' # c\n',
      '---\n',
      '...\n',
      '%YAML 1.2\n',
      '%TAG ! x\n',
      'a: b\n',
      'a',
      '{? [',
      '[a]: b',
      '<<: ',
      '~',
      '.inf',
    ],
    ...[
      '0x1',
      '0o7',
      '1e3',
      'null',
      '\t',
      '\r\n',
      '\u00a0',
      '\ufeff',
      '\\',
      '\\n',
      'metadata:\n  name: a\n',
      '@',
      '`',
    ],
  ],
  run: input => decodeAll(input, 'application/yaml'),
};

/** Bodies in protobuf, with their envelope. */
export const protobufBodies: FuzzTarget = {
  name: 'protobuf-bodies',
  pace: 3,
  seeds: bodies.map((body, i) => {
    const { kind: named, message } = definitions[i]!; // there are as many
    const apiVersion = formatApiVersion(definitions[i]!);
    return encodeProtobuf({ message }, JSON.parse(JSON.stringify({ ...body, kind: named, apiVersion })));
  }),
  words: [
    ...[
      'k8s\0',
      '\x0a',
      '\x12',
      '\x1a',
      '\x22',
      '\x0a\x00',
      '\x12\x00',
      '\x08\x01',
      '\x0a\x05\x0a\x01a\x12\x00',
      '\x7f',
      '\x00',
    ],
    ...['\x0d\x00\x00\x00\x00', '\x09', '\x0b', '\x0c', '\x10\x7f', '\x12\x04\x0a\x02v1', '\x0a\x01a'],
  ],
  run: input => decodeAll(input, 'application/vnd.cluster.protobuf'),
};

/** As far as libraries go with a body; it is refused when every kind refuses it. */
function decodeAll(input: Buffer, mediaType: string): void {
  let refusal: unknown;
  let accepted = 0;
  for (const target of definitions) {
    try {
      decodeOne(input, mediaType, target);
      accepted++;
    } catch (error) {
      if (!isClientMistake(error)) throw error;
      refusal = error;
    }
  }
  if (accepted === 0) throw refusal;
}

function decodeOne(input: Buffer, mediaType: string, target: ResourceDefinition): void {
  const { object } = decodeBodyAtOnce(input, mediaType, { definition: target, fieldValidation: 'Warn' });
  applyDefaults(target, object);
  validateObject(target, object);
  encodeProtobuf(target, object);
  object.metadata.uid = 'u';
  encodeStored(object);
}

function kind(group: string, version: string, name: string): ResourceDefinition {
  const found = registry.kind(group, version, name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
