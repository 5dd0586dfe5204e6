import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { featureGatesFrom } from '@binnacle/flags/testing';
import { type Answer, type ApiServer, startApiServer, until } from './api-server.ts';
import { createDefinition, establish } from './custom-widget.ts';

const group = '/apis/admissionregistration.cluster.io/v1alpha1';
const policiesPath = `${group}/validatingadmissionpolicies`;
const bindingsPath = `${group}/validatingadmissionpolicybindings`;
const mergePatch = { 'Content-Type': 'application/merge-patch+json' };

type Parts = Readonly<Record<string, unknown>>;

const configMapRule = {
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
};
const scalerRule = {
  apiGroups: ['autoscaling'],
  apiVersions: ['v1'],
  resources: ['horizontalpodautoscalers'],
  operations: ['CREATE'],
};
const sentinelValidation = { expression: "object == null || object.metadata.name != 'in-effect'" };

let server: ApiServer;

before(async () => {
  server = await startApiServer({
    featureGates: featureGatesFrom('ValidatingAdmissionPolicy=true'),
    runtimeConfig: 'admissionregistration.cluster.io/v1alpha1',
  });
});
after(() => server[Symbol.asyncDispose]());

const createSpec = (validations: readonly Parts[], more: Parts = {}) => ({
  matchConstraints: { resourceRules: [configMapRule] },
  validations,
  ...more,
});
const write = (path: string, body: unknown) => server.call('POST', path, { body });
const configMaps = (name: string) => `/api/v1/namespaces/${name}/configmaps`;
const createMap = (namespace: string, name: string, data: Parts = {}, query = ''): Promise<Answer> =>
  write(configMaps(namespace) + query, { metadata: { name }, data });

async function created(path: string, body: unknown): Promise<void> {
  const { code, text } = await write(path, body);
  assert.equal(code, 201, text);
}

/** Binds a policy to a namespace of its own, all of one name, and waits until the policy is heard. */
async function bound(name: string, spec: Parts, binding: Parts = {}): Promise<void> {
  const validations = [...(spec['validations'] as Parts[]), sentinelValidation]; // As createSpec makes them.
  await created('/api/v1/namespaces', { metadata: { name, labels: { policy: name } } });
  await created(policiesPath, { metadata: { name }, spec: { ...spec, validations } });
  await created(bindingsPath, {
    metadata: { name },
    spec: {
      policyName: name,
      ...binding,
      matchResources: {
        namespaceSelector: { matchLabels: { policy: name } },
        ...(binding['matchResources'] as Parts | undefined),
      },
    },
  });
}

/** Waits until a dry run of a ConfigMap is refused. */
const refusing = (name: string, data: Parts = {}) =>
  until(`${name} is in effect`, async () => {
    const { code } = await createMap(name, 'in-effect', data, '?dryRun=All');
    return code !== 201;
  });

suite('the expressions of a policy are compiled when it is written', () => {
  const texts: readonly [text: string, finding: RegExp][] = [
    ['object.', /compilation failed/],
    ['other == 1', /undeclared reference to 'other'/],
    ['1', /must evaluate to a bool/],
    ['request.nothing == 1', /undefined field 'nothing'/],
    ['params.x == 1', /undeclared reference to 'params'/],
  ];
  for (const [expression, finding] of texts) {
    test(expression, async () => {
      const spec = createSpec([{ expression: 'true' }, { expression }]);
      const { code, json } = await write(policiesPath, { metadata: { name: 'unread' }, spec });
      assert.deepEqual([code, json.reason], [422, 'Invalid']);
      assert.deepEqual(json.details.causes[0]?.field, 'spec.validations[1].expression');
      assert.match(json.message, finding);
    });
  }

  test('with a kind of parameters expressions may use params, in updates too', async () => {
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const spec = createSpec([{ expression: 'params.x == 1' }], { paramKind });
    await created(policiesPath, { metadata: { name: 'rewritten' }, spec });
    const body = { spec: { validations: [{ expression: 'nobody' }] } };
    const patched = await server.call('PATCH', `${policiesPath}/rewritten`, { body, headers: mergePatch });
    assert.equal(patched.code, 422, patched.text);
  });
});

suite('a policy refuses', () => {
  const says = (message: string) =>
    `ValidatingAdmissionPolicy 'says' with binding 'says' denied request: ${message}`;
  const forbidding = (key: string, more: Parts = {}) => ({
    expression: `object == null || !has(object.data) || !('${key}' in object.data)`,
    ...more,
  });

  before(async () => {
    const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
    await bound(
      'says',
      createSpec([
        forbidding('many', { message: ' too many ' }),
        forbidding('bare'),
        ...reasons.map(reason => forbidding(reason, { reason, message: 'no' })),
        {
          expression: "object != null || !has(oldObject.data) || !('kept' in oldObject.data)",
          message: 'stays',
        },
      ]),
    );
    await refusing('says');
  });

  const refusals: readonly [what: string, data: Parts, code: number, reason: string, message: string][] = [
    ['with its message', { many: '1' }, 422, 'Invalid', 'too many'],
    [
      'with its expression',
      { bare: '1' },
      422,
      'Invalid',
      `failed expression: ${forbidding('bare').expression}`,
    ],
    ['for the first validation that fails', { bare: '1', many: '1' }, 422, 'Invalid', 'too many'],
    ['as forbidden', { Forbidden: '1' }, 403, 'Forbidden', 'no'],
    ['as invalid', { Invalid: '1' }, 422, 'Invalid', 'no'],
    ['as too large', { RequestEntityTooLarge: '1' }, 413, 'RequestEntityTooLarge', 'no'],
  ];
  for (const [what, data, code, reason, message] of refusals) {
    test(what, async () => {
      const { json, code: status } = await createMap('says', 'b', data);
      assert.deepEqual([status, json.code, json.reason], [code, code, reason]);
      assert.equal(json.message, `configmaps "b" is forbidden: ${says(message)}`);
      assert.deepEqual(json.details, { name: 'b', kind: 'configmaps', causes: [{ message: says(message) }] });
    });
  }

  test('updates, patches, deletions and dry runs, and allows everything else', async () => {
    assert.equal((await createMap('says', 'kept', { kept: '1' })).code, 201);
    const path = `${configMaps('says')}/kept`;
    const patch = (body: Parts) => server.call('PATCH', path, { body, headers: mergePatch });
    assert.equal((await patch({ data: { many: '1' } })).code, 422);
    assert.match((await server.call('DELETE', path)).text, /stays/);
    assert.equal((await createMap('says', 'c', { many: '1' }, '?dryRun=All')).code, 422);
    assert.equal((await patch({ data: { kept: null } })).code, 200);
    assert.equal((await server.call('DELETE', path)).code, 200);
  });

  test('with a metric that counts its refusals', async () => {
    await createMap('says', 'counted', { many: '1' });
    const { text } = await server.call('GET', '/metrics');
    const counted = (action: string) =>
      new RegExp(
        `^apiserver_validating_admission_policy_check_total\\{policy="says",policy_binding="says",enforcement_action="${action}",state="active"\\} [1-9]`,
        'm',
      );
    assert.match(text, counted('deny'));
    assert.match(text, counted('allow'));
  });
});

suite('a policy that fails', () => {
  const broken = { expression: "object == null || object.data.here == 'x'" };

  test('refuses unless its failure policy is Ignore, and its other validations apply', async () => {
    await bound('fails', createSpec([broken]));
    await bound('ignored', createSpec([broken], { failurePolicy: 'Ignore' }));
    await Promise.all([refusing('fails', { here: 'x' }), refusing('ignored', { here: 'x' })]);
    const { code, json } = await createMap('fails', 'a');
    assert.deepEqual([code, json.reason], [422, 'Invalid']);
    assert.match(json.message, /denied request: the expression .* failed: no such key/);
    assert.equal((await createMap('ignored', 'a')).code, 201);
    assert.match((await createMap('ignored', 'b', { here: 'y' })).text, /failed expression/);
  });

  test('refuses if it exceeds its cost budget', async () => {
    const each = "object.data.all(a, object.data.all(b, object.data.all(c, a != '')))";
    await bound('costs', createSpec([{ expression: `object == null || !has(object.data) || ${each}` }]));
    await refusing('costs');
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, '']));
    assert.equal((await createMap('costs', 'few', { a: '' })).code, 201);
    const { code, json } = await createMap('costs', 'many', many);
    assert.equal(code, 422);
    assert.match(json.message, /exceeds the cost budget of one expression/);
  });
});

suite('parameters', () => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const atMost = { expression: 'object == null || size(object.metadata.name) <= int(params.data.most)' };

  test('are read when needed, and missing ones refuse unless the failure policy is Ignore', async () => {
    const paramRef = { name: 'limit', namespace: 'params' };
    await created('/api/v1/namespaces', { metadata: { name: 'params' } });
    await bound('limited', createSpec([atMost], { paramKind }), { paramRef });
    await bound('unlimited', createSpec([atMost], { paramKind, failurePolicy: 'Ignore' }), { paramRef });
    await refusing('limited');
    const missing = await createMap('limited', 'a');
    assert.equal(missing.code, 422);
    assert.match(missing.json.message, /denied request: failed to configure binding: limit not found$/);
    assert.equal((await createMap('params', 'limit', { most: '3' })).code, 201);
    await refusing('unlimited');
    for (const name of ['limited', 'unlimited']) {
      assert.equal((await createMap(name, 'aaa')).code, 201);
      assert.match((await createMap(name, 'aaaa')).text, /failed expression/);
    }
    const deleted = await server.call('DELETE', `${configMaps('params')}/limit`);
    assert.equal(deleted.code, 200);
    assert.equal((await createMap('unlimited', 'aaaaa')).code, 201);
  });

  test('are null for a binding without a reference', async () => {
    await bound('unnamed', createSpec([{ expression: 'params == null' }], { paramKind }));
    await refusing('unnamed');
    assert.equal((await createMap('unnamed', 'a')).code, 201);
  });

  const unusable: readonly [what: string, kind: Parts, reference: Parts, why: RegExp][] = [
    [
      'kindless',
      { apiVersion: 'ex.com/v1', kind: 'Limit' },
      { name: 'a' },
      /there is no kind Limit in ex\.com\/v1/,
    ],
    ['homeless', paramKind, { name: 'a' }, /a not found/],
    ['astray', { apiVersion: 'v1', kind: 'Namespace' }, { name: 'astray', namespace: 'astray' }, /not found/],
  ];
  for (const [what, kind, paramRef, why] of unusable) {
    test(`that are ${what} cause a refusal`, async () => {
      await bound(what, createSpec([{ expression: 'true' }], { paramKind: kind }), { paramRef });
      await refusing(what);
      assert.match((await createMap(what, 'a')).json.message, why);
    });
  }

  test('can be custom objects, and so can the reviewed ones', async () => {
    const spec = { type: 'object', properties: { most: { type: 'integer' } } };
    const schema = { type: 'object', properties: { spec } };
    const limits = createDefinition('limits', 'Limit', schema, { group: 'ex.org', scope: 'Cluster' });
    await establish(server, limits);
    const kind = { apiVersion: 'ex.org/v1', kind: 'Limit' };
    const rule = { ...configMapRule, apiGroups: ['ex.org'], resources: ['limits'] };
    const path = '/apis/ex.org/v1/limits';
    const createLimit = (name: string, most: number) => ({ ...kind, metadata: { name }, spec: { most } });
    await created(path, createLimit('highest', 5));
    const validations = [
      { expression: "request.kind.kind != 'Limit' || object.spec.most <= params.spec.most" },
    ];
    const matchConstraints = { resourceRules: [rule, configMapRule] };
    await bound('custom', createSpec(validations, { matchConstraints, paramKind: kind }), {
      paramRef: { name: 'highest' },
    });
    await until('the kind is known', async () => (await createMap('custom', 'a')).code === 201);
    assert.match((await write(path, createLimit('higher', 6))).text, /denied request: failed expression/);
    await created(path, createLimit('lower', 4));
  });

  test('are in the version that the policy names', async () => {
    const kind = { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' };
    const spec = createSpec([{ expression: 'params.spec.targetCPUUtilizationPercentage == 50' }], {
      paramKind: kind,
    });
    const paramRef = { name: 'half', namespace: 'scaled' };
    await bound('scaled', spec, { paramRef });
    await created('/apis/autoscaling/v2/namespaces/scaled/horizontalpodautoscalers', scaler('half', 50));
    await refusing('scaled');
    const { code, text } = await createMap('scaled', 'a');
    assert.equal(code, 201, text);
  });
});

suite('a policy reviews', () => {
  test('the request', async () => {
    const facts = [
      "request.namespace == 'asks'",
      "request.operation == 'CREATE'",
      "request.userInfo.username == 'admin' && 'system:masters' in request.userInfo.groups",
      "request.resource.resource == 'configmaps' && request.kind.kind == 'ConfigMap'",
      "!has(request.subResource) && request.requestKind.version == 'v1'",
      "request.dryRun == (request.name == 'in-effect')",
      'oldObject == null',
      "object.metadata.namespace == request.namespace && object.apiVersion == 'v1'",
    ];
    await bound('asks', createSpec(facts.map(expression => ({ expression }))));
    await refusing('asks');
    const { code, text } = await createMap('asks', 'a');
    assert.equal(code, 201, text);
  });

  test('only objects that match its constraints and those of the binding', async () => {
    const named = { ...configMapRule, resourceNames: ['named', 'in-effect', 'spared', 'labelled'] };
    const excluded = { ...configMapRule, resourceNames: ['spared'] };
    const objectSelector = { matchExpressions: [{ key: 'free', operator: 'DoesNotExist' }] };
    const matchConstraints = { resourceRules: [named], excludeResourceRules: [excluded], objectSelector };
    await bound('names', createSpec([{ expression: 'false' }], { matchConstraints }));
    await refusing('names');
    assert.equal((await createMap('names', 'named')).code, 422);
    assert.equal((await createMap('names', 'spared')).code, 201);
    assert.equal((await createMap('names', 'other')).code, 201);
    const metadata = { name: 'labelled', labels: { free: '' } };
    assert.equal((await write(configMaps('names'), { metadata })).code, 201);
    assert.equal((await createMap('default', 'named')).code, 201);
    const path = `${bindingsPath}/names`;
    const body = { spec: { matchResources: { excludeResourceRules: [configMapRule] } } };
    assert.equal((await server.call('PATCH', path, { body, headers: mergePatch })).code, 200);
    await until('the binding has changed', async () => (await createMap('names', 'named')).code === 201);
  });

  test('another version of a resource in the version that it names, unless it matches exactly', async () => {
    const halved = { expression: 'object.spec.targetCPUUtilizationPercentage <= 50', message: 'half' };
    const constraints = (matchPolicy: string) => ({
      matchConstraints: { resourceRules: [scalerRule, configMapRule], matchPolicy },
    });
    const validations = [{ expression: `request.kind.group == '' || ${halved.expression}`, message: 'half' }];
    await bound('alike', createSpec(validations, constraints('Equivalent')));
    await bound('exact', createSpec(validations, constraints('Exact')));
    await Promise.all([refusing('alike'), refusing('exact')]);
    const scale = (name: string, version: string, percent: number) =>
      write(
        `/apis/autoscaling/${version}/namespaces/${name}/horizontalpodautoscalers`,
        version === 'v1' ? scalerOfBefore('a', percent) : scaler('a', percent),
      );
    assert.match((await scale('alike', 'v2', 60)).text, /denied request: half/);
    assert.equal((await scale('alike', 'v2', 50)).code, 201);
    assert.match((await scale('exact', 'v1', 60)).text, /denied request: half/);
    assert.equal((await scale('exact', 'v2', 60)).code, 201);
  });

  test('neither policies nor bindings', async () => {
    const everything = {
      apiGroups: ['admissionregistration.cluster.io'],
      apiVersions: ['*'],
      resources: ['*'],
      operations: ['*'],
    };
    const matchConstraints = { resourceRules: [everything, configMapRule] };
    await bound('all', createSpec([{ expression: 'false', message: 'nothing' }], { matchConstraints }));
    await refusing('all');
    const hooks = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';
    assert.match((await write(hooks, { metadata: { name: 'a' } })).text, /denied request: nothing/);
    assert.equal((await server.call('DELETE', `${bindingsPath}/all`)).code, 200);
    assert.equal((await server.call('DELETE', `${policiesPath}/all`)).code, 200);
    await until('it is gone', async () => (await createMap('all', 'a')).code === 201);
  });
});

function scaler(name: string, averageUtilization: number) {
  const target = { type: 'Utilization', averageUtilization };
  return {
    metadata: { name },
    spec: { ...scaled, metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] },
  };
}

function scalerOfBefore(name: string, targetCPUUtilizationPercentage: number) {
  return { metadata: { name }, spec: { ...scaled, targetCPUUtilizationPercentage } };
}

const scaled = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } };
