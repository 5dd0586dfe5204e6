import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { ConformanceServer, WatchStream } from '../../conformance/drivers/conformance-server.ts';
import { until } from '../api-server.ts';
import type { TwoGateways } from './start-two-gateways.ts';

/** Watches and lists that begin at one gateway and go on at the other. */
export function registerWatchJourney(gateways: () => TwoGateways): void {
  suite('watches at two gateways', () => {
    const writes = 60;
    let server: ConformanceServer;
    let secrets: string;

    before(async () => {
      ({ server } = gateways());
      secrets = `/api/v1/namespaces/${await server.namespace()}/secrets`;
    });

    const readVersion = (event: { at(...path: string[]): unknown }) =>
      String(event.at('metadata', 'resourceVersion'));
    const shown = (stream: WatchStream) =>
      stream.events
        .filter(event => event.type !== 'BOOKMARK')
        .map(
          event => `${event.type} ${event.at('metadata', 'name')} ${event.at('metadata', 'resourceVersion')}`,
        );

    test('a watch resumes at another gateway after every event, without repetition or gap', async () => {
      const start = readVersion(await server.expect(200, 'GET', secrets));
      const expected: string[] = [];
      const writing = (async () => {
        for (let i = 0; i < writes; i++) {
          const metadata = { name: `w${i}`, labels: { i: String(i % 2) } };
          const { at } = await server.expect(201, 'POST', secrets, { body: { metadata }, gateway: i });
          expected.push(`ADDED w${i} ${at('metadata', 'resourceVersion')}`);
        }
      })();
      const heard: string[] = [];
      let version = start;
      for (let gateway = 0; heard.length < writes; gateway++) {
        const query = `watch=1&resourceVersion=${version}&allowWatchBookmarks=true`;
        using stream = await server.watch(`${secrets}?${query}`, { gateway });
        // A few events, then away: the next gateway may be ahead or behind.
        await stream.heard(Math.min(7, writes - heard.length));
        const taken = shown(stream).slice(0, writes - heard.length);
        heard.push(...taken);
        version = taken.at(-1)?.split(' ')[2] ?? version;
      }
      await writing;
      assert.deepEqual(heard, expected);
    });

    test('a bookmark of one gateway is valid at the other', async () => {
      const path = `${secrets}?watch=1&allowWatchBookmarks=true&labelSelector=none`;
      using first = await server.watch(`${path}&resourceVersion=0&timeoutSeconds=1`, { gateway: 0 });
      await first.ended;
      const bookmark = first.events.at(-1);
      assert.equal(bookmark?.type, 'BOOKMARK');
      const from = bookmark && readVersion(bookmark);
      using second = await server.watch(`${secrets}?watch=1&resourceVersion=${from}`, { gateway: 1 });
      await server.expect(201, 'POST', secrets, { body: { metadata: { name: 'after' } }, gateway: 0 });
      await second.heard(1);
      assert.match(shown(second)[0] ?? '', /^ADDED after /);
    });

    test('initial events are not older than a write at the other gateway, and end with its resourceVersion', async () => {
      const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      for (let i = 0; i < 10; i++) {
        const name = `initial-${i}`;
        const labels = { initial: '' };
        const written = await server.expect(201, 'POST', secrets, {
          body: { metadata: { name, labels } },
          gateway: i,
        });
        const version = readVersion(written);
        for (const at of [`&resourceVersion=${version}`, '']) {
          const path = `${secrets}?watch=1&labelSelector=initial&${query}${at}`;
          using stream = await server.watch(path, { gateway: i + 1 });
          await until('the closing bookmark', () => stream.events.some(event => event.type === 'BOOKMARK'));
          const end = stream.events.findIndex(event => event.type === 'BOOKMARK');
          const closing = stream.events[end];
          assert.equal(closing?.at('metadata', 'annotations', 'cluster.io/initial-events-end'), 'true');
          assert.equal(end, i + 1);
          assert.ok(Number(closing && readVersion(closing)) >= Number(version));
        }
      }
    });

    test('tokens and resourceVersions of lists are valid at every gateway, with selectors and in every form', async () => {
      const selector = 'labelSelector=i%3D1';
      const tokenIn = (list: { at(...path: string[]): unknown }) =>
        String(list.at('metadata', 'continue') ?? '');
      const names: unknown[] = [];
      const versions = new Set<string>();
      let token = '';
      let gateway = 0;
      do {
        const next = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
        const path = `${secrets}?limit=4&${selector}${next}`;
        const chunk = await server.expect(200, 'GET', path, { gateway: gateway++ });
        const items = chunk.at('items') as { metadata: { name: string } }[]; // A list has items.
        names.push(...items.map(item => item.metadata.name));
        versions.add(readVersion(chunk));
        token = tokenIn(chunk);
        if (token === '') continue;
        const rest = `${secrets}?${selector}&continue=${encodeURIComponent(token)}`;
        const accept = 'application/json;as=Table;v=v1;g=meta.cluster.io';
        const table = await server.expect(200, 'GET', rest, { gateway, accept });
        assert.equal((table.at('rows') as unknown[]).length, writes / 2 - names.length);
        // Writes between chunks are in none of them.
        const late = { metadata: { name: `w9-${gateway}`, labels: { i: '1' } } };
        await server.expect(201, 'POST', secrets, { body: late, gateway });
      } while (token !== '');
      assert.equal(names.length, writes / 2);
      assert.equal(versions.size, 1);
      const [version = ''] = versions;
      for (const other of [0, 1]) {
        const exact = `${secrets}?${selector}&resourceVersion=${version}&resourceVersionMatch=Exact`;
        const list = await server.expect(200, 'GET', exact, { gateway: other });
        assert.equal((list.at('items') as unknown[]).length, writes / 2);
      }
    });
  });
}
