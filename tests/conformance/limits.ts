import assert from 'node:assert/strict';
import { assertRefused, createAll, freshCollection, listCauses, touch } from './drivers/collections.ts';
import type { ConformanceServer, ConformanceTests } from './drivers/conformance-server.ts';

const labels = { app: 'a' };
const container = { name: 'c', image: 'i:1' };

/** A port in an object of a kind, as the path of its field names it. */
interface PortField {
  readonly collection: (namespace: string) => string;
  readonly field: string;
  /** Default: -1, 0 and 65536. */
  readonly wrong?: readonly number[];
  readonly objectWith: (port: number) => object;
}

const portFields: readonly PortField[] = [
  {
    collection: namespace => `/api/v1/namespaces/${namespace}/services`,
    field: 'spec.ports[0].targetPort',
    // Zero says that there is none: the target is the port itself.
    wrong: [-1, 65_536],
    objectWith: targetPort => ({ spec: { ports: [{ port: 80, targetPort }] } }),
  },
  {
    collection: namespace => `/api/v1/namespaces/${namespace}/services`,
    field: 'spec.ports[0].port',
    objectWith: port => ({ spec: { ports: [{ port, targetPort: 80 }] } }),
  },
  {
    collection: namespace => `/apis/apps/v1/namespaces/${namespace}/deployments`,
    field: 'spec.template.spec.containers[0].ports[0].containerPort',
    objectWith: containerPort => ({
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ ...container, ports: [{ containerPort }] }] },
        },
      },
    }),
  },
  {
    collection: namespace => `/api/v1/namespaces/${namespace}/endpoints`,
    field: 'subsets[0].ports[0].port',
    objectWith: port => ({ subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port }] }] }),
  },
  {
    collection: namespace => `/apis/networking.cluster.io/v1/namespaces/${namespace}/networkpolicies`,
    field: 'spec.ingress[0].ports[0].port',
    objectWith: port => ({ spec: { podSelector: {}, ingress: [{ ports: [{ port }] }] } }),
  },
];

/** Writes so much that nothing but the time can be why history is still there. */
async function writeMuch(server: ConformanceServer, item: string): Promise<void> {
  for (let i = 0; i < 100; i++) await touch(server, item, `${i}`);
}

/** 1, "Limits". */
export const limitTests: ConformanceTests = {
  async '1/Limits/watch history within them every event is there, however many there are'(server) {
    const collection = await freshCollection(server);
    const version = await createAll(server, collection, ['a']);
    await writeMuch(server, `${collection}/a`);
    using watch = await server.watch(`${collection}?watch=1&resourceVersion=${version}`);
    const events = await watch.heard(100);
    assert.deepEqual(
      events.map(event => event.at('metadata', 'labels', 'touched')),
      Array.from({ length: 100 }, (_, i) => `${i}`),
    );
  },

  async '1/Limits/continue token within them a token goes on, however much was written'(server) {
    const collection = await freshCollection(server);
    await createAll(server, collection, ['a', 'b']);
    const first = await server.expect(200, 'GET', `${collection}?limit=1`);
    await writeMuch(server, `${collection}/b`);
    const token = encodeURIComponent(String(first.at('metadata', 'continue')));
    const second = await server.expect(200, 'GET', `${collection}?limit=1&continue=${token}`);
    assert.equal(second.at('items', 0, 'metadata', 'name'), 'b');
    assert.equal(second.at('items', 0, 'metadata', 'labels'), undefined, 'as it was at first');
  },

  async '1/Limits/port numbers 1 and 65535 are the first and the last, everywhere'(server) {
    const namespace = await server.namespace();
    for (const { collection, field, wrong = [-1, 0, 65_536], objectWith } of portFields) {
      for (const port of [1, 65_535]) {
        const body = { metadata: { generateName: 'port-' }, ...objectWith(port) };
        await server.expect(201, 'POST', collection(namespace), { body });
      }
      for (const port of wrong) {
        const body = { metadata: { generateName: 'port-' }, ...objectWith(port) };
        const answer = await server.request('POST', collection(namespace), { body });
        assertRefused(answer, 422, 'Invalid');
        const [cause = ''] = listCauses(answer);
        assert.match(cause, /FieldValue(Invalid|Required)$/, `${field}: ${port}`);
        assert.ok(cause.startsWith(`${field} `), `${field}: ${answer.text}`);
      }
    }
  },
};
