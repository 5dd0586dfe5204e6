import type { JsonObject } from '@binnacle/api-objects';
import { type ApiServer, until } from './api-server.ts';

/** The path of definitions. */
export const definitionsPath = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';

const text = { type: 'string' };
const integer = { type: 'integer' };

/** A schema that uses most of what a schema can say. */
const widgetSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10 },
        code: { type: 'string', pattern: '^a', maxLength: 5 },
        colour: { type: 'string', enum: ['red', 'green'] },
        flavour: { type: 'string', default: 'plain' },
        note: { type: 'string', nullable: true, default: 'none' },
        nested: { type: 'object', default: {}, properties: { depth: { type: 'integer', default: 5 } } },
        optional: { type: 'object', properties: { depth: { type: 'integer', default: 5 } } },
        anything: { 'x-cluster-preserve-unknown-fields': true },
        port: { 'x-cluster-int-or-string': true },
        template: {
          type: 'object',
          'x-cluster-embedded-type': true,
          'x-cluster-preserve-unknown-fields': true,
        },
        tags: { type: 'array', 'x-cluster-list-type': 'set', items: text },
        parts: {
          type: 'array',
          'x-cluster-list-type': 'map',
          'x-cluster-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: text, weight: integer } },
        },
        since: { type: 'string', format: 'date-time' },
        replicas: integer,
        labels: { type: 'object', maxProperties: 2, additionalProperties: integer },
      },
    },
    status: { type: 'object', properties: { replicas: integer, selector: text, phase: text } },
  },
};

/** The parts of a definition beyond its schema. */
interface DefinitionFacts {
  readonly group?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly names?: object;
  /** Of the version v1, unless `versions` says it all. */
  readonly version?: object;
  readonly versions?: readonly object[];
}

/** A definition as it is sent. */
type CustomDefinition = JsonObject & {
  readonly metadata: JsonObject & { readonly name: string };
  readonly spec: JsonObject & { readonly versions: JsonObject[] };
};

/** A definition with one version, v1. */
export function createDefinition(
  plural: string,
  kind: string,
  schema: object,
  facts: DefinitionFacts = {},
): CustomDefinition {
  const { group = 'shop.example.com', scope = 'Namespaced', names = {}, version = {} } = facts;
  const {
    versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
  } = facts;
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { plural, kind, ...names }, versions },
  } as unknown as CustomDefinition; // Schemas, names and versions are written as JSON.
}

/** The definition of widgets: with status, scale and columns. */
export const widgets = createDefinition('widgets', 'Widget', widgetSchema, {
  names: { shortNames: ['wd'], categories: ['all'] },
  version: {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
    additionalPrinterColumns: [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Since', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 1 },
      { name: 'Tags', type: 'string', jsonPath: '.spec.tags' },
    ],
  },
});

/** Creates a definition and waits until its controller has established it. */
export async function establish(
  server: ApiServer,
  definition: { metadata: { name: string; annotations?: Readonly<Record<string, string>> } },
): Promise<void> {
  const created = await server.call('POST', definitionsPath, { body: definition });
  if (created.code !== 201) throw new Error(created.text);
  await until(`${definition.metadata.name} is established`, async () =>
    (await readConditions(server, definition.metadata.name)).includes('Established=True'),
  );
}

/** The conditions of a definition, each as `type=status`. */
export async function readConditions(server: ApiServer, name: string): Promise<string[]> {
  const { text: body } = await server.call('GET', `${definitionsPath}/${name}`);
  const { status } = JSON.parse(body) as { status?: { conditions?: { type: string; status: string }[] } };
  return (status?.conditions ?? []).map(condition => `${condition.type}=${condition.status}`);
}
