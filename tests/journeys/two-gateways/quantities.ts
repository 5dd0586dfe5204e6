import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { encodeProtobuf } from '@binnacle/codecs';
import { encodeYaml } from '@binnacle/codecs/texts';
import type { ConformanceServer, Sent } from '../../conformance/drivers/conformance-server.ts';
import { until } from '../api-server.ts';

const protobuf = 'application/vnd.cluster.protobuf';

/** Texts of one thousand, and what is stored of them. */
const thousands: [sent: string, stored: string][] = [
  ['1E3', '1E3'],
  ['1e3', '1e3'],
  ['+1k', '+1k'],
  ['01k', '01k'],
  ['1.k', '1.k'],
  ['1000', '1k'],
  ['1000.0', '1k'],
];

/** Amounts of resources: their texts are kept, and they are compared by what they amount to. */
export function registerQuantityJourney(getServer: () => ConformanceServer): void {
  suite('equal quantities in different notations', () => {
    let server: ConformanceServer;
    let namespace: string;
    before(async () => {
      server = getServer();
      namespace = await server.namespace();
    });

    const pods = () => `/api/v1/namespaces/${namespace}/pods`;
    const resources = (cpu: string) => ({ requests: { cpu }, limits: { cpu } });
    const pod = (name: string, cpu: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'i', resources: resources(cpu) }] },
    });
    const merge = (body: unknown): Sent => ({ body, contentType: 'application/merge-patch+json' });
    const apply = (body: unknown): Sent => ({ body, contentType: 'application/apply-patch+yaml' });
    const cpuOf = ['spec', 'containers', 0, 'resources', 'limits', 'cpu'] as const;

    test('are kept in JSON, YAML and protobuf', async () => {
      const definition = createTypeRegistry().kind('', 'v1', 'Pod');
      assert.ok(definition);
      const forms: Readonly<Record<string, (object: JsonObject) => Sent>> = {
        json: body => ({ body }),
        yaml: object => ({ body: encodeYaml(object), contentType: 'application/yaml' }),
        protobuf: object => ({
          // Objects of this test are of the kind.
          body: encodeProtobuf(definition, object as Parameters<typeof encodeProtobuf>[1]),
          contentType: protobuf,
        }),
      };
      for (const [form, sent] of Object.entries(forms))
        for (const [index, [text, stored]] of thousands.entries()) {
          const name = `${form}-${index}`;
          const created = await server.expect(201, 'POST', pods(), sent(pod(name, text)));
          assert.equal(created.at(...cpuOf), stored, `${text} in ${form}`);
          for (const gateway of server.gateways.keys()) {
            const read = await server.expect(200, 'GET', `${pods()}/${name}`, { gateway });
            assert.equal(read.at(...cpuOf), stored);
            const { bytes } = await server.expect(200, 'GET', `${pods()}/${name}`, {
              gateway,
              accept: protobuf,
            });
            assert.ok(
              bytes.includes(Buffer.concat([Buffer.from([0x0a, stored.length]), Buffer.from(stored)])),
            );
          }
        }
    });

    test('do not count as a change of an immutable field', async () => {
      await server.expect(201, 'POST', pods(), { body: pod('fixed', '1k') });
      const replaced = (cpu: string): Sent => ({
        body: [{ op: 'replace', path: '/spec/containers/0/resources', value: resources(cpu) }],
        contentType: 'application/json-patch+json',
      });
      for (const [text, stored] of thousands) {
        const patched = await server.expect(200, 'PATCH', `${pods()}/fixed`, replaced(text));
        assert.equal(patched.at(...cpuOf), stored);
      }
      await server.expect(422, 'PATCH', `${pods()}/fixed`, replaced('1001'));
      const sets = `/apis/apps/v1/namespaces/${namespace}/statefulsets`;
      const set = (storage: string) => ({
        metadata: { name: 's' },
        spec: {
          serviceName: 's',
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          volumeClaimTemplates: [
            {
              metadata: { name: 'd' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
            },
          ],
        },
      });
      await server.expect(201, 'POST', sets, { body: set('1G') });
      await server.expect(200, 'PUT', `${sets}/s`, { body: set('1E9') });
      await server.expect(422, 'PUT', `${sets}/s`, { body: set('2G') });
    });

    test('do not count as a change of the specification or of an apply', async () => {
      const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
      const deployment = (cpu: string) => ({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [{ name: 'c', image: 'i', resources: resources(cpu) }] },
          },
        },
      });
      const applied = (cpu: string) =>
        server.request('PATCH', `${deployments}/d?fieldManager=m`, apply(deployment(cpu)));
      const created = await applied('1E3');
      assert.equal(created.code, 201, created.text);
      assert.equal(created.at('metadata', 'generation'), 1);
      const repeated = await applied('1E3');
      assert.equal(repeated.at('metadata', 'resourceVersion'), created.at('metadata', 'resourceVersion'));
      const written = await applied('1k');
      assert.equal(written.code, 200, written.text);
      assert.equal(written.at('metadata', 'generation'), 1);
      assert.equal(written.at('spec', 'template', ...cpuOf), '1k');
      assert.equal((await applied('2k')).at('metadata', 'generation'), 2);
    });

    test('are added by quotas and compared by limits', async () => {
      const own = await server.namespace();
      const at = (resource: string) => `/api/v1/namespaces/${own}/${resource}`;
      const hard = { 'limits.cpu': '2E3', 'requests.cpu': '+2k' };
      await server.expect(201, 'POST', at('resourcequotas'), {
        body: { metadata: { name: 'q' }, spec: { hard } },
      });
      await until('the quota is counted', async () => {
        const counted = await server.expect(200, 'GET', `${at('resourcequotas')}/q`);
        return counted.at('status', 'hard', 'limits.cpu') === '2E3';
      });
      const max = { cpu: '1.k' };
      await server.expect(201, 'POST', at('limitranges'), {
        body: { metadata: { name: 'l' }, spec: { limits: [{ type: 'Container', max }] } },
      });
      await server.expect(403, 'POST', at('pods'), { body: pod('more', '1001') });
      await server.expect(201, 'POST', at('pods'), { body: pod('a', '1E3') });
      await server.expect(201, 'POST', at('pods'), { body: pod('b', '+1k') });
      await server.expect(403, 'POST', at('pods'), { body: pod('c', '1m') });
      const limited = await server.namespace();
      await server.expect(201, 'POST', `/api/v1/namespaces/${limited}/limitranges`, {
        body: { metadata: { name: 'l' }, spec: { limits: [{ type: 'Container', default: { cpu: '1E3' } }] } },
      });
      const given = await server.expect(201, 'POST', `/api/v1/namespaces/${limited}/pods`, {
        body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      });
      assert.deepEqual(given.at('spec', 'containers', 0, 'resources'), resources('1E3'));
      const quota = await server.expect(200, 'GET', `${at('resourcequotas')}/q`);
      assert.deepEqual(quota.at('spec', 'hard'), hard);
      assert.equal(quota.at('status', 'used', 'limits.cpu'), '2e3');
      const patched = await server.expect(
        200,
        'PATCH',
        `${at('resourcequotas')}/q`,
        merge({ spec: { hard: { 'limits.cpu': '02k' } } }),
      );
      assert.equal(patched.at('spec', 'hard', 'limits.cpu'), '02k');
    });
  });
}
