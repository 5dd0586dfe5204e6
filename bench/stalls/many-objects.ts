import { groups } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { configMap, custom, definition, json } from './heavy-bodies.ts';
import type { HeavyRequest, SentRequest } from './heavy-request.ts';

const configMaps = '/api/v1/namespaces/stalls/configmaps';
const customs = '/apis/stalls.example.com/v1/namespaces/stalls';
const definitions = `/apis/${groups.apiextensions}/v1/customresourcedefinitions`;

function labelled(name: string): JsonObject {
  return { ...configMap(name, 1), metadata: { name, labels: { number: name, app: 'many' } } };
}

function* inNamespace(namespace: string, count: number): Iterable<SentRequest> {
  const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  yield { method: 'POST', path: '/api/v1/namespaces', body: json(made) };
  for (let i = 0; i < count; i++)
    yield {
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      body: json(labelled(`o${i}`)),
    };
}

const setup = () => inNamespace('many', 10_000);
const many = '/api/v1/namespaces/many/configmaps';

function listing(name: string, query: string): HeavyRequest {
  return { name, method: 'GET', path: `${many}?${query}`, setup };
}

const values = Array.from({ length: 1000 }, (_, i) => `o${i * 7}`).join(',');
const watch = 'watch=true&timeoutSeconds=1';

/** A schema whose default makes 500 texts of each empty item. */
const multiplied: JsonObject = definition('defaults', {
  type: 'object',
  properties: {
    list: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          texts: {
            type: 'array',
            items: { type: 'string' },
            default: Array.from({ length: 500 }, (_, i) => `t${i}`),
          },
        },
      },
    },
  },
});

function ofDefaults(name: string, items: number): HeavyRequest {
  return {
    name,
    method: 'POST',
    path: `${customs}/defaults?dryRun=All`,
    setup: () => [{ method: 'POST', path: definitions, body: json(multiplied) }],
    body: () => json(custom('defaults', 'a', { list: Array.from({ length: items }, () => ({})) })),
  };
}

/** Requests about many objects, and about defaults that make small objects large. */
export const manyObjects: readonly HeavyRequest[] = [
  ofDefaults('default of 500 texts for 49 items', 49),
  ofDefaults('default of 500 texts for 24,000 items', 24_000),
  listing('list of 10,000 by a field', 'fieldSelector=metadata.name%3Do77'),
  listing('list of 10,000 by all but a field', 'fieldSelector=metadata.name!%3Do77'),
  listing('list of 10,000 by 1,000 label values', `labelSelector=number+in+(${values})`),
  listing('list of 10,000 but 1,000 label values', `labelSelector=number+notin+(${values})`),
  listing('list of 10,000 by 1,000 values, from storage', `labelSelector=number+in+(${values})&limit=9000`),
  listing('watch of 10,000', watch),
  listing('watch of 10,000 by a label', `${watch}&labelSelector=app%3Dmany`),
  listing('watch of 10,000 by 1,000 label values', `${watch}&labelSelector=number+notin+(${values})`),
  {
    ...listing('watch of 10,000 as Table', watch),
    accept: `application/json;as=Table;v=v1;g=${groups.meta}`,
  },
  {
    name: 'deletecollection of 5,000',
    method: 'DELETE',
    path: '/api/v1/namespaces/deleted/configmaps',
    before: () => inNamespace('deleted', 5_000),
  },
  {
    name: 'deletion of a namespace of 10,000',
    method: 'DELETE',
    path: '/api/v1/namespaces/ended',
    isOnce: true,
    before: () => inNamespace('ended', 10_000),
    // The objects go after the answer.
    settleMs: 15_000,
  },
  {
    name: 'list of 20,000 config maps by no label',
    method: 'GET',
    path: `${configMaps}?labelSelector=no%3Dlabel`,
  },
];
