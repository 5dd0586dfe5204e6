import { groups } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { encodeProtobuf } from '@binnacle/codecs';

const registry = createTypeRegistry({});

/** Members `<prefix>0` and so on, all with the same value. */
export function members(prefix: string, count: number, value = ''): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, value]));
}

/** A config map with so many keys. */
export function configMap(name: string, keys: number): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: members('k', keys) };
}

/** A body as JSON. */
export function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** An object of the core group in protobuf. */
export function protobuf(resource: string, object: JsonObject): Buffer {
  const definition = registry.resource('', 'v1', resource);
  if (definition === undefined) throw new Error(`there are no ${resource}`);
  return encodeProtobuf(definition, object);
}

/** A config map in YAML, whose data is written without quotation marks. */
export function yamlConfigMap(name: string, keys: number): Buffer {
  const data = Array.from({ length: keys }, (_, i) => `  k${i}: a\n`).join('');
  return Buffer.from(`apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n${data}`);
}

/** A pod with so many variables in the environment of its container. */
export function podWithVariables(name: string, variables: number): JsonObject {
  const env = Array.from({ length: variables }, (_, i) => ({ name: `V${i}`, value: 'a' }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'a', image: 'a', env }] },
  };
}

/** An ordinary pod. */
export function ordinaryPod(name: string): JsonObject {
  const container = {
    image: 'registry.example/shop/web:1.27.3',
    args: ['--port=8080', '--verbose'],
    ports: [{ name: 'http', containerPort: 8080 }],
    env: [
      { name: 'MODE', value: 'production' },
      { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    ],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    readinessProbe: { httpGet: { path: '/healthz', port: 'http' } },
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'web', 'pod-template-hash': '7d4b9c6f5d' } },
    spec: {
      containers: [
        { name: 'web', ...container },
        { name: 'side', ...container, ports: [] },
      ],
    },
  };
}

/** A definition of a custom kind in the group `stalls.example.com`. */
export function definition(plural: string, schema: JsonObject, more: JsonObject = {}): JsonObject {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1);
  return {
    apiVersion: `${groups.apiextensions}/v1`,
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.stalls.example.com` },
    spec: {
      group: 'stalls.example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
    },
  };
}

/** An object of such a kind. */
export function custom(plural: string, name: string, more: JsonObject): JsonObject {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1);
  return { apiVersion: 'stalls.example.com/v1', kind, metadata: { name }, ...more };
}

/** A schema in which each of so many alternatives has as many, down to a depth; none of them fits. */
export function nestedAlternatives(width: number, depth: number): JsonObject {
  if (depth === 0) return { minLength: 2 };
  return { anyOf: Array.from({ length: width }, () => nestedAlternatives(width, depth - 1)) };
}
