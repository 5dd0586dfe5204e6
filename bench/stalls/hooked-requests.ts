import { extensions, groups } from '@binnacle/api-names';
import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { configMap, definition, json } from './heavy-bodies.ts';
import type { HeavyRequest, RunningHooks, SentRequest } from './heavy-request.ts';

const definitions = `/apis/${groups.apiextensions}/v1/customresourcedefinitions`;
const group = '/apis/stalls.example.com';
const reviewed = '/api/v1/namespaces/reviewed/configmaps';

/** A definition in the versions v1, which is stored, and v2. */
function twoVersions(plural: string, conversion: JsonObject): JsonObject {
  const free: JsonObject = {
    type: 'object',
    properties: { spec: { type: 'object', [extensions.preserveUnknownFields]: true } },
  };
  const made = definition(plural, free);
  const spec = isJsonObject(made['spec']) ? made['spec'] : {};
  const version = (name: string, storage: boolean): JsonObject => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: free },
  });
  return { ...made, spec: { ...spec, conversion, versions: [version('v1', true), version('v2', false)] } };
}

function conversionBy({ url, caBundle }: RunningHooks): JsonObject {
  const clientConfig = { url: `${url}/convert`, caBundle };
  return { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
}

function largeObject(plural: string, name: string, version: string): JsonObject {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1);
  const items = Array.from({ length: 8000 }, (_, i) => ({
    name: `item-${i}`,
    value: `what is said of item ${i}`.repeat(4),
  }));
  return { apiVersion: `stalls.example.com/${version}`, kind, metadata: { name }, spec: { items } };
}

function collection(plural: string, version: string): string {
  return `${group}/${version}/namespaces/stalls/${plural}`;
}

function createSetup(plural: string, conversion: (hooks: RunningHooks) => JsonObject) {
  return function* (hooks: RunningHooks): Iterable<SentRequest> {
    yield { method: 'POST', path: definitions, body: json(twoVersions(plural, conversion(hooks))) };
    for (const name of ['a', 'b', 'c', 'd'])
      yield {
        method: 'POST',
        path: collection(plural, 'v1'),
        body: json(largeObject(plural, name, 'v1')),
      };
  };
}

/** Requests for large objects of one kind in the version that is not stored. */
function converted(plural: string, conversion: (hooks: RunningHooks) => JsonObject): HeavyRequest[] {
  const setup = createSetup(plural, conversion);
  const other = collection(plural, 'v2');
  // Converted objects are kept beside the stored bytes: new ones are converted anew.
  const before = function* (run: number): Iterable<SentRequest> {
    for (const name of ['a', 'b', 'c', 'd'])
      yield {
        method: 'PATCH',
        path: `${collection(plural, 'v1')}/${name}`,
        type: 'application/merge-patch+json',
        body: json({ metadata: { labels: { run: `r${run}-${Date.now()}` } } }),
      };
  };
  const request = (name: string, more: Omit<HeavyRequest, 'name'>): HeavyRequest => ({
    name: `${plural}, ${name}`,
    setup,
    before,
    ...more,
  });
  return [
    request('large object', { method: 'GET', path: `${other}/a` }),
    request('large object as YAML', { method: 'GET', path: `${other}/a`, accept: 'application/yaml' }),
    request('list of four', { method: 'GET', path: other }),
    request('created', {
      method: 'POST',
      path: `${other}?dryRun=All`,
      body: () => json(largeObject(plural, 'e', 'v2')),
    }),
    request('patched', {
      method: 'PATCH',
      path: `${other}/a`,
      type: 'application/merge-patch+json',
      body: (_, run) => json({ metadata: { annotations: { run: String(run) } } }),
    }),
  ];
}

/** Large objects between versions. */
export const conversions: readonly HeavyRequest[] = [
  ...converted('same', () => ({ strategy: 'None' })),
  ...converted('hooked', conversionBy),
];

function hook(kind: 'Mutating' | 'Validating', { url, caBundle }: RunningHooks): JsonObject {
  const path = kind === 'Mutating' ? 'patch' : 'allow';
  return {
    apiVersion: `${groups.admissionregistration}/v1`,
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: 'stalls' },
    webhooks: [
      {
        name: 'stalls.example.com',
        clientConfig: { url: `${url}/${path}`, caBundle },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        namespaceSelector: { matchLabels: { reviewed: 'yes' } },
        rules: [
          { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['configmaps', 'same'] },
        ],
      },
    ],
  };
}

function* reviewsThere(hooks: RunningHooks): Iterable<SentRequest> {
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'reviewed', labels: { reviewed: 'yes' } },
  };
  yield { method: 'POST', path: '/api/v1/namespaces', body: json(namespace) };
  yield { method: 'POST', path: definitions, body: json(twoVersions('same', { strategy: 'None' })) };
  yield { method: 'POST', path: reviewed, body: json(configMap('long', 20_000)) };
  for (const kind of ['Mutating', 'Validating'] as const)
    yield {
      method: 'POST',
      path: `/apis/${groups.admissionregistration}/v1/${kind.toLowerCase()}webhookconfigurations`,
      body: json(hook(kind, hooks)),
    };
}

function review(name: string, more: Omit<HeavyRequest, 'name'>): HeavyRequest {
  return { name: `webhooks, ${name}`, setup: reviewsThere, ...more };
}

/** Large objects that webhooks review, one of which changes them by 8,000 operations. */
export const reviews: readonly HeavyRequest[] = [
  review('20,000 keys created', {
    method: 'POST',
    path: `${reviewed}?dryRun=All`,
    body: () => json(configMap('other', 20_000)),
  }),
  review('20,000 keys patched', {
    method: 'PATCH',
    path: `${reviewed}/long?dryRun=All`,
    type: 'application/merge-patch+json',
    body: (_, run) => json({ data: { k0: String(run) } }),
  }),
  review('8,000 items created', {
    method: 'POST',
    path: `${group}/v1/namespaces/reviewed/same?dryRun=All`,
    body: () => json(largeObject('same', 'e', 'v1')),
  }),
];
