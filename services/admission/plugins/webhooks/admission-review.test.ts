import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extensions, finalizers, groups, understood, userExtras } from '@binnacle/api-names';
import { aliasNames, ownNames } from '../../chain/shown-names.ts';
import { createReview } from '../../test-drivers/plugin-fixture.ts';
import { createReviewWriter, type ExpectedAnswer, parseWebhookAnswer } from './admission-review.ts';
import { createConvertObjects } from './convert-objects.ts';

const answer = (response: unknown, head: object = {}) =>
  Buffer.from(
    JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.cluster.io/v1', ...head, response }),
  );

const expected: ExpectedAnswer = { group: groups.admission, version: 'v1', uid: 'u', mutating: false };

test('a response is read with its warnings and audit annotations', async () => {
  const response = {
    uid: 'u',
    allowed: false,
    status: { message: 'no', code: 418 },
    warnings: ['w', 1],
    auditAnnotations: { a: 'b', c: 2 },
  };
  assert.deepEqual(await parseWebhookAnswer(answer(response), expected), {
    allowed: false,
    status: { message: 'no', code: 418 },
    warnings: ['w'],
    auditAnnotations: { a: 'b' },
    patch: [],
  });
});

test('a response may name its group by any known name', async () => {
  for (const sent of understood.groups.admission)
    for (const group of understood.groups.admission) {
      const head = { apiVersion: `${group}/v1` };
      const body = answer({ uid: 'u', allowed: true }, head);
      const read = await parseWebhookAnswer(body, { ...expected, group: sent });
      assert.equal(read.allowed, true);
    }
});

test('version v1beta1 requires neither the uid nor the apiVersion and kind in the response', async () => {
  for (const head of [
    { apiVersion: 'admission.cluster.io/v1beta1' },
    { kind: undefined, apiVersion: undefined },
  ]) {
    const body = answer({ allowed: true }, head);
    const read = await parseWebhookAnswer(body, { ...expected, version: 'v1beta1' });
    assert.equal(read.allowed, true);
  }
});

const operations = [{ op: 'remove', path: '/a' }];
const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
const beta = { apiVersion: 'admission.cluster.io/v1beta1' };
const patches: readonly [string, object, object, Partial<ExpectedAnswer>, unknown][] = [
  ['a patch', { patch, patchType: 'JSONPatch' }, {}, { mutating: true }, operations],
  ['none', {}, {}, { mutating: true }, []],
  ['without its type', { patch }, {}, { mutating: true }, /but not response\.patchType/],
  ['of an unknown type', { patch, patchType: 'X' }, {}, { mutating: true }, /"X" is not known/],
  ['a type alone', { patchType: 'JSONPatch' }, {}, { mutating: true }, /but not response\.patch/],
  ['not JSON', { patch: 'eA==', patchType: 'JSONPatch' }, {}, { mutating: true }, /base64 form of JSON/],
  ['not a list', { patch: 'e30=', patchType: 'JSONPatch' }, {}, { mutating: true }, /list of operations/],
  ['of one that validates', { patch, patchType: 'JSONPatch' }, {}, {}, /validating webhook may not/],
  ['a type of one that validates', { patchType: 'JSONPatch' }, {}, {}, /validating webhook may not/],
  ['of the older version', { patch }, beta, { mutating: true, version: 'v1beta1' }, operations],
  ['of the older version, validating', { patch }, beta, { version: 'v1beta1' }, []],
];

for (const [what, response, head, more, outcome] of patches) {
  test(`the patch of a response: ${what}`, async () => {
    const parse = () =>
      parseWebhookAnswer(answer({ uid: 'u', allowed: true, ...response }, head), { ...expected, ...more });
    if (outcome instanceof RegExp) await assert.rejects(parse, outcome);
    else assert.deepEqual((await parse()).patch, outcome);
  });
}

const useless: readonly [string, Buffer, RegExp][] = [
  ['text', Buffer.from('nonsense'), /not JSON/],
  ['a list', Buffer.from('[]'), /not an object/],
  [
    'another version',
    answer({ uid: 'u', allowed: true }, { apiVersion: 'admission.cluster.io/v2' }),
    /expected webhook response/,
  ],
  ['no kind', answer({ uid: 'u', allowed: true }, { kind: undefined }), /expected webhook response/],
  ['no response', answer(undefined), /absent/],
  ['another uid', answer({ uid: 'x', allowed: true }), /expected response.uid="u", got "x"/],
  ['no decision', answer({ uid: 'u' }), /allowed/],
];

test('an invalid response is refused with the reason', async () => {
  for (const [what, body, reason] of useless)
    await assert.rejects(parseWebhookAnswer(body, expected), reason, what);
});

test('a long response is read like a short one', async () => {
  const many = Array.from({ length: 8000 }, (_, i) => ({ op: 'add', path: `/data/k${i}`, value: 'changed' }));
  const encoded = Buffer.from(JSON.stringify(many)).toString('base64');
  const body = answer({ uid: 'u', allowed: true, patch: encoded, patchType: 'JSONPatch' });
  const read = await parseWebhookAnswer(body, { ...expected, mutating: true });
  assert.deepEqual(read.patch, many);
  const broken = body.subarray(0, body.length - 1);
  await assert.rejects(parseWebhookAnswer(broken, expected), /not JSON/);
});

const convert = createConvertObjects({
  dispatch: undefined,
  findAddress: () => undefined,
  begin: () => () => {},
});
const definitions = `${groups.apiextensions}/v1/customresourcedefinitions`;
const schema = { [extensions.preserveUnknownFields]: true, properties: { [extensions.mapType]: {} } };
const definitionWith = (name: string) => ({
  apiVersion: `${groups.apiextensions}/v1`,
  kind: 'CustomResourceDefinition',
  metadata: { name, finalizers: [finalizers.customResources] },
  spec: { group: 'g', versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
});
const updated = () => ({
  ...createReview({
    type: definitions,
    operation: 'UPDATE',
    object: definitionWith('new'),
    oldObject: definitionWith('old'),
    user: { extra: { [userExtras.podName]: { values: ['p'] }, team: { values: ['t'] } } },
  }),
  options: JSON.stringify({ kind: 'UpdateOptions', apiVersion: `${groups.meta}/v1` }),
});
/** The request to a webhook, as text. */
const writtenFor = async (names: typeof ownNames) => {
  const review = updated();
  const write = await createReviewWriter(review, { definition: review.definition, names }, convert);
  return write('v1', 'u').toString();
};

test('a review in the own names has a stable form', async () => {
  const kind = { group: groups.apiextensions, version: 'v1', kind: 'CustomResourceDefinition' };
  const resource = { group: groups.apiextensions, version: 'v1', resource: 'customresourcedefinitions' };
  const text = JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: `${groups.admission}/v1`,
    request: {
      uid: 'u',
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: 'new',
      operation: 'UPDATE',
      userInfo: { username: 'alice', extra: { [userExtras.podName]: ['p'], team: ['t'] } },
      dryRun: false,
      options: { kind: 'UpdateOptions', apiVersion: `${groups.meta}/v1` },
      object: definitionWith('new'),
      oldObject: definitionWith('old'),
    },
  });
  assert.equal(await writtenFor(ownNames), text);
});

test('a review in the aliases differs in its names, and not in values inside schemas', async () => {
  let expected = await writtenFor(ownNames);
  const renamed = [
    [`"${groups.apiextensions}"`, `"${understood.groups.apiextensions.at(-1)}"`],
    ...(['apiextensions', 'admission', 'meta'] as const).map(key => [
      `"${groups[key]}/v1"`,
      `"${understood.groups[key].at(-1)}/v1"`,
    ]),
    [`"${userExtras.podName}"`, `"${understood.userExtras.podName.at(-1)}"`],
    [`"${finalizers.customResources}"`, `"${understood.finalizers.customResources.at(-1)}"`],
    [`"${extensions.preserveUnknownFields}"`, `"${understood.extensions.preserveUnknownFields.at(-1)}"`],
  ];
  for (const [from = '', to = ''] of renamed) expected = expected.replaceAll(from, to);
  assert.equal(await writtenFor(aliasNames), expected);
  assert.match(expected, new RegExp(`"properties":\\{"${extensions.mapType}":`));
});
