import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { type ApiServer, startApiServer, until } from './api-server.ts';

const maps = '/api/v1/namespaces/t/configmaps';
const encode = encodeURIComponent;
let server: ApiServer;

before(async () => {
  server = await startApiServer();
  await server.namespace('t');
  for (let i = 0; i < 5; i++) await makeMap(maps, i);
});
after(() => server?.[Symbol.asyncDispose]());

/** c0 to c4: an even and an odd tier, a number, and an empty label on the first. */
async function makeMap(path: string, i: number): Promise<void> {
  const labels = {
    tier: i % 2 === 0 ? 'even' : 'odd',
    i: String(i),
    ...(i === 0 ? { empty: '', 'example.com/zero': 'yes' } : {}),
  };
  const { code, text } = await server.call('POST', path, { body: { metadata: { name: `c${i}`, labels } } });
  assert.equal(code, 201, text);
}

const namesAt = async (path: string) => {
  const { code, json, text } = await server.call('GET', path);
  assert.equal(code, 200, text);
  return json.items.map(item => item.metadata.name);
};

/** Label selectors, and the numbers of the objects that satisfy them. */
const labelSelectors: readonly (readonly [string, readonly number[]])[] = [
  ['', [0, 1, 2, 3, 4]],
  ['tier=even', [0, 2, 4]],
  ['tier==even', [0, 2, 4]],
  ['tier!=even', [1, 3]],
  ['none!=x', [0, 1, 2, 3, 4]],
  ['tier in (odd)', [1, 3]],
  ['i in (1,4,9)', [1, 4]],
  ['i notin (1,4)', [0, 2, 3]],
  ['none notin (x)', [0, 1, 2, 3, 4]],
  ['empty', [0]],
  ['!empty', [1, 2, 3, 4]],
  ['empty=', [0]],
  ['empty!=', [1, 2, 3, 4]],
  ['empty in (,x)', [0]],
  ['i>2', [3, 4]],
  ['i<2', [0, 1]],
  ['i>0,i<3', [1, 2]],
  ['tier>1', []],
  ['none>1', []],
  ['tier=even,i!=2', [0, 4]],
  [' tier = even , i in ( 2 , 4 ) ', [2, 4]],
  ['example.com/zero=yes', [0]],
];

describe('a label selector', () => {
  for (const [selector, expected] of labelSelectors) {
    test(`${selector || 'without terms'} selects objects of lists, from the store and the cache`, async () => {
      const names = expected.map(i => `c${i}`);
      const query = `labelSelector=${encode(selector)}`;
      assert.deepEqual(await namesAt(`${maps}?${query}`), names);
      const version = (await server.call('GET', maps)).json.metadata.resourceVersion;
      const exact = `${query}&resourceVersion=${version}&resourceVersionMatch=Exact`;
      assert.deepEqual(await namesAt(`${maps}?${exact}`), names);
    });
  }

  test('selects the same objects for watches', async () => {
    for (const [selector, expected] of labelSelectors) {
      using stream = await server.watch(`${maps}?watch=1&labelSelector=${encode(selector)}`);
      await until(`the objects of ${selector}`, () => stream.events.length >= expected.length);
      const names = stream.events.map(event => event.object.metadata.name);
      assert.deepEqual(
        names,
        expected.map(i => `c${i}`),
        selector,
      );
    }
  });

  test('selects the same objects repeatedly, including every acknowledged write', async () => {
    const labelsOf = new Map<string, Record<string, string>>();
    const collectionPath = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
    for (const namespace of ['often', 'often-b']) await server.namespace(namespace);
    const chosen = (select: (labels: Record<string, string>) => boolean) =>
      [...labelsOf]
        .filter(([, labels]) => select(labels))
        .map(([key]) => key)
        .sort();
    const listed = async (query: string) => {
      const { json, text } = await server.call('GET', `/api/v1/configmaps?${query}`);
      assert.equal(json.kind, 'ConfigMapList', text);
      return {
        ...json.metadata,
        keys: json.items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
      };
    };
    // An index is made when the lists have looked at some thousand objects.
    for (let i = 0; i < 260; i++) {
      const key = `${i % 3 === 0 ? 'often-b' : 'often'}/o${(i * 7) % 40}`;
      const [namespace = '', name = ''] = key.split('/');
      const labels = { of: 'often', shard: `s${(i * 5) % 4}`, part: `p${(i * 11) % 9}` };
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } };
      const isThere = labelsOf.has(key);
      const path = collectionPath(namespace) + (isThere ? `/${name}` : '');
      const method = isThere ? (i % 5 === 0 ? 'DELETE' : 'PUT') : 'POST';
      const { code, text } = await server.call(method, path, method === 'DELETE' ? {} : { body });
      assert.ok(code < 300, text);
      if (method === 'DELETE') labelsOf.delete(key);
      else labelsOf.set(key, labels);
      const { shard } = labels;
      const of = `labelSelector=${encode(`shard=${shard},of in (often,x),part!=p3`)}`;
      const expected = chosen(each => each['shard'] === shard && each['part'] !== 'p3');
      const whole = await listed(of);
      assert.deepEqual(whole.keys, expected);
      if (i % 20 !== 0) continue;
      const pages: string[] = [];
      let token = '';
      do {
        const page = await listed(`${of}&limit=3${token && `&continue=${encode(token)}`}`);
        pages.push(...page.keys);
        token = page.continue ?? '';
      } while (token !== '');
      assert.deepEqual(pages, expected);
    }
  });

  test('selects the objects of a deleted collection', async () => {
    await server.namespace('d');
    const path = '/api/v1/namespaces/d/configmaps';
    for (let i = 0; i < 5; i++) await makeMap(path, i);
    const left: [string, string[]][] = [
      ['labelSelector=tier%3Dodd,i%3E2', ['c0', 'c1', 'c2', 'c4']],
      ['labelSelector=!empty&fieldSelector=metadata.name!%3Dc4', ['c0', 'c4']],
      ['fieldSelector=metadata.name%3Dc0', ['c4']],
      ['fieldSelector=metadata.namespace%3Dt', ['c4']],
    ];
    for (const [query, names] of left) {
      const { code, text } = await server.call('DELETE', `${path}?${query}`);
      assert.equal(code, 200, text);
      assert.deepEqual(await namesAt(`${path}?labelSelector=tier`), names, query);
    }
  });
});

const malformed: readonly string[] = [
  ...[
    'a in (',
    'a in b',
    'a in ()x',
    '-a=b',
    'a=-b-',
    'i>x',
    'i<1.5',
    'a,,b',
    'a foo b',
    'a=b=c',
    '!',
    '!a=b',
    'a/b/c=d',
    `a=${'x'.repeat(64)}`,
  ].map(text => `labelSelector=${encode(text)}`),
  ...['foo', 'metadata.name>c', 'metadata.name in (a)', 'data.k=v', 'metadata.name=a\\b', '=a'].map(
    text => `fieldSelector=${encode(text)}`,
  ),
];

describe('an invalid selector', () => {
  for (const query of malformed) {
    test(`${decodeURIComponent(query).slice(0, 60)} is refused everywhere`, async () => {
      const answers = [
        await server.call('GET', `${maps}?${query}`),
        await server.call('GET', `${maps}?watch=1&${query}`),
        await server.call('DELETE', `${maps}?dryRun=All&${query}`),
      ];
      for (const { code, json } of answers) assert.deepEqual([code, json.reason], [400, 'BadRequest']);
    });
  }
});

const podSpec = { containers: [{ name: 'c', image: 'i' }] };
const template = { metadata: { labels: { a: 'b' } }, spec: podSpec };
const core = '/api/v1/namespaces/f';

/** Objects, and for each field of their kinds a value that chooses one and a value that chooses none. */
const kinds: readonly {
  readonly path: string;
  readonly body: object;
  readonly status?: object;
  readonly fields: Readonly<Record<string, readonly [string, string]>>;
}[] = [
  {
    path: `${core}/pods`,
    body: {
      metadata: { name: 'x' },
      spec: {
        ...podSpec,
        nodeName: 'n1',
        restartPolicy: 'Never',
        schedulerName: 'mine',
        serviceAccountName: 'default',
      },
    },
    status: { phase: 'Running', podIP: '10.0.0.9', podIPs: [{ ip: '10.0.0.9' }], nominatedNodeName: 'n2' },
    fields: {
      'spec.nodeName': ['n1', 'n2'],
      'spec.host': ['n1', 'n2'],
      'spec.restartPolicy': ['Never', 'Always'],
      'spec.schedulerName': ['mine', 'default-scheduler'],
      'spec.serviceAccountName': ['default', 'other'],
      'status.phase': ['Running', 'Pending'],
      'status.podIP': ['10.0.0.9', '10.0.0.8'],
      'status.nominatedNodeName': ['n2', 'n1'],
    },
  },
  {
    path: '/api/v1/nodes',
    body: { metadata: { name: 'x' }, spec: { unschedulable: true } },
    fields: { 'spec.unschedulable': ['true', 'false'] },
  },
  {
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'x' } },
    fields: { 'status.phase': ['Active', 'Terminating'] },
  },
  {
    path: `${core}/secrets`,
    body: { metadata: { name: 'x' }, type: 'mine' },
    fields: { type: ['mine', 'Opaque'] },
  },
  {
    path: `${core}/replicationcontrollers`,
    body: { metadata: { name: 'x' }, spec: { selector: { a: 'b' }, template } },
    status: { replicas: 3 },
    fields: { 'status.replicas': ['3', '0'] },
  },
  {
    path: '/apis/apps/v1/namespaces/f/replicasets',
    body: { metadata: { name: 'x' }, spec: { selector: { matchLabels: { a: 'b' } }, template } },
    status: { replicas: 2 },
    fields: { 'status.replicas': ['2', '0'] },
  },
  {
    path: '/apis/batch/v1/namespaces/f/jobs',
    body: { metadata: { name: 'x' }, spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
    status: { succeeded: 4 },
    fields: { 'status.successful': ['4', '0'] },
  },
  {
    path: `${core}/events`,
    body: {
      metadata: { name: 'x' },
      involvedObject: {
        kind: 'Pod',
        namespace: 'f',
        name: 'p',
        uid: 'u',
        apiVersion: 'v1',
        resourceVersion: '7',
        fieldPath: 'spec',
      },
      reason: 'Because',
      type: 'Warning',
      source: { component: 'me' },
      reportingComponent: 'them',
    },
    fields: {
      'involvedObject.kind': ['Pod', 'Node'],
      'involvedObject.namespace': ['f', 't'],
      'involvedObject.name': ['p', 'q'],
      'involvedObject.uid': ['u', 'v'],
      'involvedObject.apiVersion': ['v1', 'v2'],
      'involvedObject.resourceVersion': ['7', '8'],
      'involvedObject.fieldPath': ['spec', 'status'],
      reason: ['Because', 'Why'],
      reportingComponent: ['them', 'us'],
      source: ['me', 'you'],
      type: ['Warning', 'Normal'],
    },
  },
];

describe('a field selector', () => {
  before(async () => {
    await server.namespace('f');
    await server.call('POST', `${core}/serviceaccounts`, { body: { metadata: { name: 'default' } } });
  });

  for (const { path, body, status, fields } of kinds) {
    test(`selects ${path.split('/').at(-1)} by ${Object.keys(fields).join(', ')}`, async () => {
      const made = await server.call('POST', path, { body });
      assert.equal(made.code, 201, made.text);
      if (status !== undefined) {
        const type = { 'Content-Type': 'application/merge-patch+json' };
        const patched = await server.call('PATCH', `${path}/x/status`, { body: { status }, headers: type });
        assert.equal(patched.code, 200, patched.text);
      }
      for (const [field, [matching, other]] of Object.entries(fields)) {
        const chosen = (operator: string, value: string) =>
          namesAt(`${path}?fieldSelector=${encode(`metadata.name=x,${field}${operator}${value}`)}`);
        const outcomes = [
          await chosen('=', matching),
          await chosen('==', other),
          await chosen('!=', matching),
          await chosen('!=', other),
        ];
        assert.deepEqual(outcomes, [['x'], [], [], ['x']], field);
        const watched = `${path}?watch=1&fieldSelector=${encode(`metadata.name=x,${field}=${matching}`)}`;
        using stream = await server.watch(watched);
        await until(`an event of ${field}`, () => stream.events.length > 0);
        assert.equal(stream.events[0]?.object.metadata.name, 'x');
      }
    });
  }

  test('selects events of both groups by the field names of each', async () => {
    const path = '/apis/events.cluster.io/v1/namespaces/f/events';
    for (const [selector, names] of [
      ['regarding.name=p', ['x']],
      ['regarding.name=q', []],
      ['reportingController=them', ['x']],
    ] as const)
      assert.deepEqual(await namesAt(`${path}?fieldSelector=${encode(selector)}`), names, selector);
    for (const [wrong, where] of [
      ['involvedObject.name=p', path],
      ['regarding.name=p', `${core}/events`],
    ])
      assert.equal((await server.call('GET', `${where}?fieldSelector=${encode(wrong ?? '')}`)).code, 400);
  });

  test('supports name and namespace for every kind, and no undeclared fields', async () => {
    for (const { group, version, resource, namespaced, stored, verbs, rules } of createTypeRegistry()
      .resources) {
      if (!stored || !verbs.includes('list')) continue;
      const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const path = `${root}${namespaced ? '/namespaces/t' : ''}/${resource}`;
      const known = [...(rules.selectableFieldNames ?? []), 'metadata.name', 'metadata.namespace'];
      for (const field of known) {
        const { code } = await server.call(
          'GET',
          `${path}?fieldSelector=${encode(`${field}=nothing-of-it`)}`,
        );
        assert.equal(code, 200, `${path} ${field}`);
      }
      for (const field of ['name', 'spec', 'metadata.uid', 'spec.type', 'spec.clusterIP', 'Metadata.name']) {
        const { code } = await server.call('GET', `${path}?fieldSelector=${encode(`${field}=x`)}`);
        assert.equal(code, 400, `${path} ${field}`);
      }
    }
  });
});

test('a watch adds an object that begins to match, and deletes one that ceases to with its last matching state', async () => {
  const path = `${core}/pods`;
  const version = (await server.call('GET', path)).json.metadata.resourceVersion;
  const name = 'moving';
  assert.equal((await server.call('POST', path, { body: { metadata: { name }, spec: podSpec } })).code, 201);
  const selector = encode('status.phase=Running');
  using stream = await server.watch(`${path}?watch=1&resourceVersion=${version}&fieldSelector=${selector}`);
  const type = { 'Content-Type': 'application/merge-patch+json' };
  const versions: string[] = [];
  for (const status of [{ phase: 'Running' }, { message: 'well' }, { phase: 'Failed' }, { message: 'ill' }]) {
    const { code, json } = await server.call('PATCH', `${path}/${name}/status`, {
      body: { status },
      headers: type,
    });
    assert.equal(code, 200);
    versions.push(json.metadata.resourceVersion);
  }
  await until('three events', () => stream.events.length >= 3);
  const shown = stream.events.map(event => {
    const status = event.object.status as unknown as { phase: string; message?: string };
    return [event.type, status.phase, status.message, event.object.metadata.resourceVersion];
  });
  assert.deepEqual(shown, [
    ['ADDED', 'Running', undefined, versions[0]],
    ['MODIFIED', 'Running', 'well', versions[1]],
    ['DELETED', 'Running', 'well', versions[2]],
  ]);
});
