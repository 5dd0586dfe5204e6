import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry, type SubresourceDefinition, type Verb } from '@binnacle/api-types';
import { resourcePart } from './resource-paths.ts';
import { subresourcePaths } from './subresource-paths.ts';

const registry = createTypeRegistry();
const pods = registry.resource('', 'v1', 'pods');
assert.ok(pods);
const root = '/api/v1/namespaces/{namespace}/pods/{name}';
const connecting: Verb[] = ['create', 'delete', 'get', 'patch', 'update'];

/** Lists each operation of a pod's subresource: method, path, action, kind, request and response. */
function listOperations(subresource: SubresourceDefinition): string[] {
  const subresources = new Map([[subresource.name, subresource]]);
  const paths = subresourcePaths(registry, resourcePart({ ...pods!, subresources })); // asserted above
  return paths.flatMap(({ path, operations }) =>
    operations.map(({ method, action, about, body, content }) => {
      const kind = `${about?.group}/${about?.version}/${about?.kind}`;
      const taken = body?.message.split('.').at(-1) ?? 'nothing';
      const given = content === 'text' ? content : content.message.split('.').at(-1);
      return `${method} ${path.replace(root, '')} ${action} ${kind} ${taken} ${given}`;
    }),
  );
}

const cases: [SubresourceDefinition, string[]][] = [
  [
    { name: 'status', kind: 'Pod', verbs: ['get', 'patch', 'update'] },
    [
      'get /status get /v1/Pod nothing Pod',
      'patch /status patch /v1/Pod Patch Pod',
      'put /status put /v1/Pod Pod Pod',
    ],
  ],
  [
    { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get'] },
    ['get /scale get autoscaling/v1/Scale nothing Scale'],
  ],
  [
    { name: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
    ['post /eviction post policy/v1/Eviction Eviction Eviction'],
  ],
  [
    {
      name: 'token',
      group: 'authentication.cluster.io',
      version: 'v1',
      kind: 'TokenRequest',
      verbs: ['create'],
    },
    ['post /token post authentication.cluster.io/v1/TokenRequest TokenRequest TokenRequest'],
  ],
  [{ name: 'log', kind: 'Pod', verbs: ['get'] }, ['get /log get /v1/Pod nothing text']],
  [
    { name: 'exec', kind: 'PodExecOptions', verbs: ['create', 'get'] },
    [
      'post /exec connect /v1/PodExecOptions nothing text',
      'get /exec connect /v1/PodExecOptions nothing text',
    ],
  ],
  [
    { name: 'proxy', kind: 'PodProxyOptions', verbs: connecting },
    ['', '/{path}'].flatMap(below =>
      ['post', 'delete', 'get', 'head', 'options', 'patch', 'put'].map(
        method => `${method} /proxy${below} connect /v1/PodProxyOptions nothing text`,
      ),
    ),
  ],
];

for (const [subresource, expected] of cases) {
  test(`the operations of ${subresource.name} are those of its verbs`, () => {
    assert.deepEqual(listOperations(subresource), expected);
  });
}

test('the options of a connect operation are its parameters', () => {
  const exec: SubresourceDefinition = { name: 'exec', kind: 'PodExecOptions', verbs: ['get'] };
  const part = resourcePart({ ...pods!, subresources: new Map([['exec', exec]]) }); // asserted above
  const [path] = subresourcePaths(registry, part);
  assert.deepEqual(
    path?.operations[0]?.query.map(({ name, type }) => `${name} ${type}`),
    [
      'command string',
      'container string',
      'stderr boolean',
      'stdin boolean',
      'stdout boolean',
      'tty boolean',
    ],
  );
  assert.deepEqual(
    path?.parameters.map(({ name }) => name),
    ['name', 'namespace'],
  );
});
