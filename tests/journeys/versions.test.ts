import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { at, findings } from './admin-server.ts';
import { type Answer, type ApiServer, startApiServer } from './api-server.ts';

const flowcontrol = '/apis/flowcontrol.apiserver.cluster.io';
const admission = '/apis/admissionregistration.cluster.io';
const definitions = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';

let server: ApiServer;
before(async () => {
  const runtimeConfig = 'admissionregistration.cluster.io/v1alpha1/validatingadmissionpolicies';
  server = await startApiServer({ runtimeConfig });
});
after(() => server?.[Symbol.asyncDispose]());

const parseBody = (answer: Answer) => JSON.parse(answer.text);

async function expect(code: number, method: string, path: string, body?: unknown) {
  const answer = await server.call(method, path, { body });
  assert.equal(answer.code, code, answer.text);
  return answer;
}

test('a deprecated version has the same objects in its own form, with a warning', async () => {
  const limited = { assuredConcurrencyShares: 7, limitResponse: { type: 'Reject' } };
  const body = { metadata: { name: 'old' }, spec: { type: 'Limited', limited } };
  const created = await expect(201, 'POST', `${flowcontrol}/v1beta2/prioritylevelconfigurations`, body);
  assert.match(String(created.headers['warning']), /v1beta2 PriorityLevelConfiguration is deprecated/);
  assert.deepEqual(parseBody(created).spec.limited, { ...limited, lendablePercent: 0 });
  const { headers, text } = await expect(
    200,
    'GET',
    `${flowcontrol}/v1beta3/prioritylevelconfigurations/old`,
  );
  assert.equal(headers['warning'], undefined);
  const read = JSON.parse(text);
  assert.equal(read.apiVersion, 'flowcontrol.apiserver.cluster.io/v1beta3');
  assert.deepEqual(read.spec.limited, {
    nominalConcurrencyShares: 7,
    limitResponse: { type: 'Reject' },
    lendablePercent: 0,
  });
  const { items } = parseBody(await expect(200, 'GET', `${flowcontrol}/v1beta2/prioritylevelconfigurations`));
  const listed = items.find((item: never) => at(item, 'metadata', 'name') === 'old');
  assert.equal(listed.spec.limited.assuredConcurrencyShares, 7);
});

test('an alpha version has only the resources that are switched on', async () => {
  const policies = `${admission}/v1alpha1/validatingadmissionpolicies`;
  const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] };
  const created = await expect(201, 'POST', policies, { metadata: { name: 'p' }, spec });
  assert.equal(parseBody(created).spec.failurePolicy, 'Fail');
  await expect(404, 'GET', `${admission}/v1alpha1/validatingadmissionpolicybindings`);
  await expect(404, 'GET', '/apis/authentication.cluster.io/v1alpha1');
});

test('a definition is stored with its accepted names and status, and refuses invalid changes', async () => {
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', 'x-cluster-preserve-unknown-fields': true } },
      },
    },
  };
  const names = { plural: 'widgets', kind: 'Widget' };
  const spec = { group: 'example.com', scope: 'Namespaced', names, versions: [version] };
  const metadata = { name: 'widgets.example.com' };
  const { text } = await expect(201, 'POST', definitions, { metadata, spec });
  const created = JSON.parse(text);
  assert.deepEqual(created.spec, {
    ...spec,
    names: { ...names, singular: 'widget', listKind: 'WidgetList' },
    conversion: { strategy: 'None' },
  });
  assert.deepEqual(created.status.storedVersions, ['v1']);
  assert.equal(created.metadata.generation, 1);
  const path = `${definitions}/widgets.example.com`;
  const moved = await server.call('PATCH', path, {
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: { spec: { scope: 'Cluster' } },
  });
  assert.equal(moved.code, 422);
  assert.deepEqual(findings(parseBody(moved)), ['Invalid', 'FieldValueInvalid spec.scope']);
  const other = { metadata: { name: 'x' }, spec: { ...spec, versions: [{ ...version, schema: undefined }] } };
  assert.deepEqual(findings(parseBody(await expect(422, 'POST', definitions, other))), [
    'Invalid',
    'FieldValueInvalid metadata.name',
    'FieldValueRequired spec.versions[0].schema.openAPIV3Schema',
  ]);
});

test('lists of definitions, signing requests and priority levels have tables', async () => {
  const headers = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  for (const [path, columns] of [
    [definitions, ['Name', 'Created At']],
    [
      '/apis/certificates.cluster.io/v1/certificatesigningrequests',
      ['Name', 'Age', 'SignerName', 'Requestor', 'RequestedDuration', 'Condition'],
    ],
    [
      `${flowcontrol}/v1beta3/flowschemas`,
      ['Name', 'PriorityLevel', 'MatchingPrecedence', 'DistinguisherMethod', 'Age', 'MissingPL'],
    ],
    ['/apis/apiregistration.cluster.io/v1/apiservices', ['Name', 'Service', 'Available', 'Age']],
    [`${admission}/v1/mutatingwebhookconfigurations`, ['Name', 'Webhooks', 'Age']],
  ] as const) {
    const { json } = await server.call('GET', path, { headers });
    assert.deepEqual(
      json.columnDefinitions.map(column => column.name),
      columns,
      path,
    );
  }
});
