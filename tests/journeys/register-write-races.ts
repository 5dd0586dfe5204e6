import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { at } from './admin-server.ts';
import { until } from './api-server.ts';
import { createDefinition, definitionsPath } from './custom-widget.ts';
import { objectsAt, textAt, textsAt } from './setup/json-parts.ts';

/** A server of either form, as racing clients see it: their requests go to all of its gateways. */
interface RacedServer {
  send(
    method: string,
    path: string,
    sent?: { readonly body?: JsonValue; readonly contentType?: string },
  ): Promise<{ readonly code: number; readonly body: JsonObject }>;
  /** Creates a namespace with a name of its own; gives that. */
  namespace(): Promise<string>;
}

const clients = Array.from({ length: 32 }, (_, i) => i);

/** One request of a client. */
interface Write {
  readonly method: string;
  /** The end of the path, behind that of the object. */
  readonly at?: string;
  readonly body?: JsonValue;
  readonly contentType?: string;
}

const merge = (body: JsonValue, at = ''): Write => ({
  method: 'PATCH',
  at,
  body,
  contentType: 'application/merge-patch+json',
});
const strategic = (body: JsonValue, at = ''): Write => ({
  method: 'PATCH',
  at,
  body,
  contentType: 'application/strategic-merge-patch+json',
});
const json = (body: JsonValue): Write => ({
  method: 'PATCH',
  body,
  contentType: 'application/json-patch+json',
});
const put = (body: JsonValue): Write => ({ method: 'PUT', body });
const apply = (body: JsonValue, manager: string): Write => ({
  method: 'PATCH',
  at: `?fieldManager=${manager}`,
  body,
  contentType: 'application/apply-patch+yaml',
});

interface Raced {
  readonly resource: string;
  /** The object before the race. */
  readonly object: JsonObject;
}

const metadata = { name: 'raced' };
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};
const configMap: Raced = { resource: '/api/v1/*/configmaps', object: { metadata } };
const deployment: Raced = {
  resource: '/apis/apps/v1/*/deployments',
  object: { metadata, spec: { selector: { matchLabels: { a: 'b' } }, template } },
};
const group = 'races.example.com';
const boat: Raced = {
  resource: `/apis/${group}/v1/*/boats`,
  object: { apiVersion: `${group}/v1`, kind: 'Boat', metadata, spec: {} },
};
const preserving = { type: 'object', 'x-cluster-preserve-unknown-fields': true };
const boats = createDefinition('boats', 'Boat', preserving, {
  group,
  version: { subresources: { status: {} } },
});

interface Race {
  readonly what: string;
  readonly raced: Raced;
  write(client: number, round: number): Write;
  /** Where in the object each client finds what it wrote, if all of it stays. */
  readonly found?: (object: JsonObject, client: number) => JsonValue | undefined;
}

const labelled = (client: number) => ({ metadata: { labels: { [`c${client}`]: 'v' } } });
const foundLabel = (object: JsonObject, client: number) => at(object, 'metadata', 'labels', `c${client}`);
const foundData = (object: JsonObject, client: number) => at(object, 'data', `c${client}`);

const races: readonly Race[] = [
  {
    what: 'merge patches of a config map',
    raced: configMap,
    write: (client, round) => merge({ data: { [`c${client}`]: String(round) } }),
    found: foundData,
  },
  {
    what: 'strategic merge patches of a config map',
    raced: configMap,
    write: (client, round) => strategic({ data: { [`c${client}`]: String(round) } }),
    found: foundData,
  },
  {
    what: 'JSON patches of a config map',
    raced: { ...configMap, object: { metadata, data: { a: '1' } } },
    write: (client, round) => json([{ op: 'add', path: `/data/c${client}`, value: String(round) }]),
    found: foundData,
  },
  {
    what: 'applies of a config map by managers of their own',
    raced: configMap,
    write: (client, round) =>
      apply(
        { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [`c${client}`]: String(round) } },
        `m${client}`,
      ),
    found: foundData,
  },
  {
    what: 'updates of a config map that name no version',
    raced: configMap,
    write: (client, round) => put({ metadata, data: { last: `${client}-${round}` } }),
  },
  {
    what: 'finalizers of a config map',
    raced: configMap,
    write: client => strategic({ metadata: { finalizers: [`example.com/c${client}`] } }),
    found: (object, client) =>
      textsAt(object, 'metadata', 'finalizers').find(name => name === `example.com/c${client}`),
  },
  {
    what: 'labels of a deployment',
    raced: deployment,
    write: client => (client % 2 === 0 ? merge(labelled(client)) : strategic(labelled(client))),
    found: foundLabel,
  },
  {
    what: 'conditions in the status of a deployment',
    raced: deployment,
    write: client =>
      strategic({ status: { conditions: [{ type: `C${client}`, status: 'True' }] } }, '/status'),
    found: (object, client) =>
      objectsAt(object, 'status', 'conditions').find(({ type }) => type === `C${client}`),
  },
  {
    what: 'the scale of a deployment, its labels and its status',
    raced: deployment,
    write: client =>
      client % 3 === 0
        ? merge({ spec: { replicas: client } }, '/scale')
        : client % 3 === 1
          ? merge(labelled(client))
          : merge({ status: { [`unavailableReplicas`]: client } }, '/status'),
  },
  {
    what: 'labels of a custom object',
    raced: boat,
    write: client => merge(labelled(client)),
    found: foundLabel,
  },
  {
    what: 'the fields of a custom object, by merge patches, JSON patches and applies',
    raced: boat,
    write: (client, round) =>
      client % 3 === 0
        ? merge({ spec: { [`c${client}`]: round } })
        : client % 3 === 1
          ? json([{ op: 'add', path: `/spec/c${client}`, value: round }])
          : apply({ ...boat.object, spec: { [`c${client}`]: round } }, `m${client}`),
    found: (object, client) => at(object, 'spec', `c${client}`),
  },
  {
    what: 'the status of a custom object',
    raced: boat,
    write: (client, round) => merge({ status: { [`c${client}`]: round } }, '/status'),
    found: (object, client) => at(object, 'status', `c${client}`),
  },
];

/**
 * Clients that write one object at the same time and name no version: none is refused because another was faster, and
 * what each wrote is there afterwards.
 */
export function registerWriteRaces(form: string, raced: () => RacedServer): void {
  suite(`races of ${clients.length} clients, ${form}`, () => {
    let server: RacedServer;
    before(async () => {
      server = raced();
      await server.send('POST', definitionsPath, { body: JSON.stringify(boats) });
      let served = 0;
      await until('boats are served everywhere', async () => {
        const { code } = await server.send('GET', `/apis/${group}/v1/boats`);
        served = code === 200 ? served + 1 : 0;
        return served >= 4;
      });
    });

    const pathIn = (namespace: string, { resource }: Raced) =>
      resource.replace('*', `namespaces/${namespace}`);

    async function create(raced: Raced): Promise<string> {
      const collection = pathIn(await server.namespace(), raced);
      const { code, body } = await server.send('POST', collection, { body: raced.object });
      assert.equal(code, 201, JSON.stringify(body));
      return `${collection}/raced`;
    }

    const send = (path: string, { method, at: suffix = '', body, contentType }: Write) =>
      server.send(method, path + suffix, {
        ...(body === undefined ? {} : { body }),
        ...(contentType === undefined ? {} : { contentType }),
      });

    for (const { what, raced, write, found } of races) {
      test(what, async () => {
        const path = await create(raced);
        await Promise.all(
          clients.map(async client => {
            for (const round of [1, 2]) {
              const { code, body } = await send(path, write(client, round));
              assert.equal(code, 200, JSON.stringify(body));
            }
          }),
        );
        const { body: object } = await server.send('GET', path);
        for (const client of clients) if (found) assert.ok(found(object, client), `${what}: ${client}`);
      });
    }

    const creations: readonly { what: string; raced: Raced; write(client: number): Write }[] = [
      {
        what: 'applies of an object that is not there',
        raced: configMap,
        write: client =>
          apply(
            { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [`c${client}`]: '1' } },
            `m${client}`,
          ),
      },
      {
        what: 'updates of an object that is not there, of a kind that they create',
        raced: { resource: '/api/v1/*/endpoints', object: {} },
        write: client => put({ metadata: { ...metadata, labels: { c: `c${client}` } } }),
      },
    ];
    for (const { what, raced, write } of creations) {
      test(`${what}: one client creates it, the others update it`, async () => {
        const path = `${pathIn(await server.namespace(), raced)}/raced`;
        const answers = await Promise.all(clients.map(client => send(path, write(client))));
        const codes = answers.map(({ code }) => code).sort();
        assert.deepEqual(codes, [...clients.slice(1).map(() => 200), 201]);
      });
    }

    test('deletions of one object and of its collection with concurrent patches', async () => {
      const path = await create(configMap);
      const collection = path.slice(0, path.lastIndexOf('/'));
      const answers = await Promise.all(
        clients.map(client =>
          client % 8 === 7
            ? server.send('DELETE', client === 7 ? collection : path)
            : send(path, merge({ data: { [`c${client}`]: '1' } })),
        ),
      );
      for (const { code, body } of answers) assert.ok([200, 404].includes(code), JSON.stringify(body));
      assert.equal((await server.send('GET', path)).code, 404);
    });

    test('the deletion of a service with concurrent writes of its endpoints', async () => {
      const namespace = await server.namespace();
      const services = pathIn(namespace, { resource: '/api/v1/*/services', object: {} });
      const endpoints = pathIn(namespace, { resource: '/api/v1/*/endpoints/raced', object: {} });
      const object = { metadata, spec: { ports: [{ port: 80 }], clusterIP: 'None' } };
      assert.equal((await server.send('POST', services, { body: object })).code, 201);
      assert.equal((await server.send('PUT', endpoints, { body: { metadata } })).code, 201);
      const [deleted, ...others] = await Promise.all([
        server.send('DELETE', `${services}/raced`),
        ...clients.map(client => send(endpoints, merge(labelled(client)))),
      ]);
      assert.equal(deleted?.code, 200, JSON.stringify(deleted?.body));
      for (const { code, body } of others) assert.ok([200, 404].includes(code), JSON.stringify(body));
      assert.equal((await server.send('GET', endpoints)).code, 404);
    });

    test('evictions with one disruption budget and concurrent patches of their pods', async () => {
      const namespace = await server.namespace();
      const pods = pathIn(namespace, { resource: '/api/v1/*/pods', object: {} });
      const budgets = pathIn(namespace, { resource: '/apis/policy/v1/*/poddisruptionbudgets', object: {} });
      const spec = { minAvailable: 1, selector: { matchLabels: { a: 'b' } } };
      assert.equal((await server.send('POST', budgets, { body: { metadata, spec } })).code, 201);
      const evicted = clients.slice(0, 16);
      for (const client of evicted) {
        const name = `p${client}`;
        const pod = { ...template, metadata: { ...template.metadata, name } };
        const created = await server.send('POST', pods, { body: pod });
        assert.equal(created.code, 201, JSON.stringify(created.body));
        const running = merge(
          { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
          '/status',
        );
        assert.equal((await send(`${pods}/${name}`, running)).code, 200);
      }
      const status = { observedGeneration: 1, disruptionsAllowed: 12, currentHealthy: 16, desiredHealthy: 1 };
      const allowing = await send(
        `${budgets}/raced`,
        merge({ status: { ...status, expectedPods: 16 } }, '/status'),
      );
      assert.equal(allowing.code, 200, JSON.stringify(allowing.body));
      const answers = await Promise.all(
        evicted.flatMap(client => [
          server.send('POST', `${pods}/p${client}/eviction`, { body: { metadata: { name: `p${client}` } } }),
          send(`${pods}/p${client}`, merge({ metadata: { labels: { seen: 'yes' } } })),
        ]),
      );
      const codes = answers.map(({ code }) => code);
      assert.equal(codes.filter(code => code === 201).length, 12, JSON.stringify(codes));
      // Evictions that the budget does not allow are refused, and a pod that is gone cannot be patched.
      assert.equal(codes.filter(code => code === 429).length, 4, JSON.stringify(codes));
      for (const code of codes) assert.ok([200, 201, 404, 429].includes(code), String(code));
    });

    test('of writes with the same resourceVersion one succeeds, and the others are conflicts', async () => {
      const path = await create(configMap);
      const { body: object } = await server.send('GET', path);
      const resourceVersion = textAt(object, 'metadata', 'resourceVersion');
      const answers = await Promise.all(
        clients.map(client =>
          send(
            path,
            client % 2 === 0
              ? merge({ metadata: { resourceVersion }, data: { last: `c${client}` } })
              : put({ metadata: { ...metadata, resourceVersion }, data: { last: `c${client}` } }),
          ),
        ),
      );
      assert.deepEqual(answers.map(({ code }) => code).sort(), [200, ...clients.slice(1).map(() => 409)]);
    });

    test('applies with different values of one field are conflicts unless forced', async () => {
      const path = await create(configMap);
      const wanted = (client: number) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        data: { one: `c${client}` },
      });
      const answers = await Promise.all(
        clients.map(client => send(path, apply(wanted(client), `m${client}`))),
      );
      assert.deepEqual(answers.map(({ code }) => code).sort(), [200, ...clients.slice(1).map(() => 409)]);
      for (const { code, body } of answers)
        if (code === 409) assert.equal(at(body, 'details', 'causes', 0, 'reason'), 'FieldManagerConflict');
      const forced = await Promise.all(
        clients.map(client => send(path, apply(wanted(client), `m${client}&force=true`))),
      );
      for (const { code, body } of forced) assert.equal(code, 200, JSON.stringify(body));
    });
  });
}
