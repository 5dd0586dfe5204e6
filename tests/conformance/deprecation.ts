import assert from 'node:assert/strict';
import { until } from '../journeys/api-server.ts';
import { freshCollection, readVersion } from './drivers/collections.ts';
import type { ConformanceServer, ConformanceTests } from './drivers/conformance-server.ts';
import { findSample, findSamples, type Sample } from './drivers/metrics-text.ts';
import { withOtherSwitches } from './drivers/variants.ts';

const group = 'flowcontrol.apiserver.cluster.io';
/** A deprecated endpoint of a version that goes in a known release. */
const deprecated = `/apis/${group}/v1beta2/flowschemas`;
const successor = `/apis/${group}/v1beta3/flowschemas`;
const gauge = 'apiserver_requested_deprecated_apis';

function flowSchema(name: string): object {
  return { metadata: { name }, spec: { priorityLevelConfiguration: { name: 'exempt' } } };
}

/** The texts of the Warning headers of an answer, as they were sent. */
async function rawWarnings(server: ConformanceServer, path: string): Promise<string[]> {
  const message = await server.open('GET', path);
  message.resume();
  return message.rawHeaders.filter((_, i, all) => all[i - 1]?.toLowerCase() === 'warning');
}

/** The samples of the gauge that have these labels. */
function samplesWith(text: string, labels: Readonly<Record<string, string>>): Sample[] {
  return findSamples(text, gauge).filter(sample =>
    Object.entries(labels).every(([name, value]) => sample.labels[name] === value),
  );
}

/** 1, "Events". */
export const deprecationTests: ConformanceTests = {
  async '1/Events/1a what there is, what changes and how far the server has come'(server) {
    const collection = await freshCollection(server);
    await server.expect(201, 'POST', collection, { body: { metadata: { name: 'a' } } });
    const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    using watch = await server.watch(`${collection}?watch=1&${initial}`);
    const [added, bookmark] = await watch.heard(2);
    assert.deepEqual([added?.type, added?.at('metadata', 'name')], ['ADDED', 'a']);
    assert.deepEqual([bookmark?.type, bookmark?.object['kind']], ['BOOKMARK', 'Secret']);
    const version = Number(bookmark?.at('metadata', 'resourceVersion'));
    assert.ok(version >= Number(added?.at('metadata', 'resourceVersion')));
    const patched = await server.expect(200, 'PATCH', `${collection}/a`, {
      body: { metadata: { labels: { changed: 'yes' } } },
      contentType: 'application/merge-patch+json',
    });
    // More bookmarks may come before it.
    const change = () => watch.events.slice(2).find(({ type }) => type !== 'BOOKMARK');
    await until('the change to be reported', () => change() !== undefined);
    assert.equal(change()?.type, 'MODIFIED');
    assert.equal(change()?.at('metadata', 'resourceVersion'), readVersion(patched));
  },

  async '1/Events/1b create, update, patch, apply and delete are reported in their order'(server) {
    const collection = await freshCollection(server);
    const start = readVersion(await server.expect(200, 'GET', collection));
    using watch = await server.watch(`${collection}?watch=1&resourceVersion=${start}`);
    const item = `${collection}/a`;
    const secret = (step: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a', labels: { step } },
    });
    await server.expect(201, 'POST', collection, { body: secret('create') });
    await server.expect(200, 'PUT', item, { body: secret('update') });
    await server.expect(200, 'PATCH', item, {
      body: secret('patch'),
      contentType: 'application/merge-patch+json',
    });
    await server.expect(200, 'PATCH', `${item}?fieldManager=m&force=true`, {
      body: secret('apply'),
      contentType: 'application/apply-patch+yaml',
    });
    await server.expect(201, 'PATCH', `${collection}/b?fieldManager=m`, {
      body: {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'b', labels: { step: 'create-by-apply' } },
      },
      contentType: 'application/apply-patch+yaml',
    });
    await server.expect(200, 'DELETE', item);
    const events = await watch.heard(6);
    assert.deepEqual(
      events.map(event => [event.type, event.at('metadata', 'labels', 'step')]),
      [
        ['ADDED', 'create'],
        ['MODIFIED', 'update'],
        ['MODIFIED', 'patch'],
        ['MODIFIED', 'apply'],
        ['ADDED', 'create-by-apply'],
        ['DELETED', 'apply'],
      ],
    );
  },

  async '1/Events/2a one header with code 299 says what is deprecated and what to use'(server) {
    const [value, ...others] = await rawWarnings(server, deprecated);
    assert.deepEqual(others, []);
    const text = /^299 (?:-|\S+) "(.+)"$/.exec(value ?? '')?.[1] ?? '';
    assert.match(text, new RegExp(`${group}/v1beta2 FlowSchema is deprecated in v1\\.26`), value);
    assert.match(text, /v1\.29/, 'the release that it is gone in');
    assert.match(text, new RegExp(`${group}/v1beta3`), 'what to use');
  },

  async '1/Events/2a every verb says so, refusals included'(server) {
    const item = `${deprecated}/deprecated-verbs`;
    // Without a resource version, for the status of the new object is written by then or soon after.
    const sent = { body: flowSchema('deprecated-verbs') };
    const answers = [
      await server.expect(201, 'POST', deprecated, sent),
      await server.expect(200, 'GET', item),
      await server.expect(200, 'PUT', item, sent),
      await server.expect(200, 'DELETE', item),
      await server.expect(404, 'GET', item),
      await server.expect(422, 'POST', deprecated, { body: flowSchema('No_Name') }),
    ];
    for (const { warnings } of answers)
      assert.ok(
        warnings.some(text => text.includes('v1beta2 FlowSchema is deprecated')),
        warnings.join(),
      );
    const [value] = await rawWarnings(server, `${deprecated}?watch=1&timeoutSeconds=1`);
    assert.match(value ?? '', /v1beta2 FlowSchema is deprecated/);
  },

  async '1/Events/2a what is not deprecated says nothing'(server) {
    assert.deepEqual(await rawWarnings(server, successor), []);
    assert.deepEqual(await rawWarnings(server, '/api/v1/namespaces'), []);
  },

  async '1/Events/2b the request is annotated in the log, and so is a refused one'(server) {
    const other = await withOtherSwitches(server);
    const audited = { 'Audit-ID': 'deprecated-listed' };
    await other.expect(200, 'GET', deprecated, { gateway: 0, headers: audited });
    const refused = { 'Audit-ID': 'deprecated-missing' };
    await other.expect(404, 'GET', `${deprecated}/none`, { gateway: 0, headers: refused });
    await other.expect(200, 'GET', successor, { gateway: 0, headers: { 'Audit-ID': 'current-listed' } });
    const findLine = async (auditId: string) =>
      (await other.log(0)).split('\n').find(line => line.includes(`"${auditId}"`));
    for (const { 'Audit-ID': auditId } of [audited, refused]) {
      await until(`the line of ${auditId}`, async () => (await findLine(auditId)) !== undefined);
      const line = JSON.parse((await findLine(auditId)) ?? '{}');
      assert.equal(line.annotations?.['cluster.io/deprecated'], 'true', JSON.stringify(line));
    }
    assert.doesNotMatch((await findLine('current-listed')) ?? '', /cluster\.io\/deprecated/);
  },

  async '1/Events/2c the gauge is 1 for what was asked for, and names five things'(server) {
    await server.expect(200, 'GET', deprecated, { gateway: 0 });
    const { text } = await server.expect(200, 'GET', '/metrics', { gateway: 0 });
    const labelled = { resource: 'flowschemas', subresource: '' };
    const [sample] = samplesWith(text, labelled);
    assert.deepEqual(sample, {
      labels: {
        group,
        version: 'v1beta2',
        resource: 'flowschemas',
        subresource: '',
        removed_release: '1.29',
      },
      value: 1,
    });
    assert.match(text, new RegExp(`^# TYPE ${gauge} gauge$`, 'm'));
  },

  async '1/Events/2c a subresource has a sample of its own, what is not deprecated has none'(server) {
    await server.expect(201, 'POST', deprecated, { body: flowSchema('deprecated-status') });
    await server.expect(200, 'GET', `${deprecated}/deprecated-status/status`, { gateway: 0 });
    await server.expect(200, 'DELETE', `${deprecated}/deprecated-status`);
    await server.expect(200, 'GET', successor, { gateway: 0 });
    const { text } = await server.expect(200, 'GET', '/metrics', { gateway: 0 });
    const labels = { group, version: 'v1beta2', resource: 'flowschemas', subresource: 'status' };
    assert.equal(findSample(text, gauge, labels), 1);
    assert.ok(findSamples(text, gauge).every(sample => sample.labels['version'] !== 'v1beta3'));
  },

  async '1/Events/2d the labels of the gauge find the requests'(server) {
    await server.expect(200, 'GET', deprecated, { gateway: 0 });
    const requests = async () => {
      const { text } = await server.expect(200, 'GET', '/metrics', { gateway: 0 });
      const [sample] = samplesWith(text, { resource: 'flowschemas', subresource: '' });
      const { removed_release: _, ...joined } = sample?.labels ?? {};
      assert.deepEqual(Object.keys(joined).sort(), ['group', 'resource', 'subresource', 'version']);
      return findSample(text, 'apiserver_request_total', { ...joined, verb: 'LIST' }) ?? 0;
    };
    const before = await requests();
    await server.expect(200, 'GET', deprecated, { gateway: 0 });
    await until('the request to be counted', async () => (await requests()) > before);
  },
};
