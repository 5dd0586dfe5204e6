import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { extensions, groups, understood } from '@binnacle/api-names';
import { featureGatesFrom } from '@binnacle/flags/testing';
import { type ApiServer, startApiServer, until } from './api-server.ts';
import { createDefinition } from './custom-widget.ts';

let server: ApiServer;
before(async () => {
  server = await startApiServer({
    featureGates: featureGatesFrom('ValidatingAdmissionPolicy=true'),
    runtimeConfig: `${groups.admissionregistration}/v1alpha1`,
  });
});
after(() => server?.[Symbol.asyncDispose]());

/** The names of one who knows the API by one of them. */
const sides = understood.groups.admissionregistration.map((registration, side) => ({
  registration,
  call: (key: keyof typeof groups): string => understood.groups[key][side] ?? groups[key],
  extension: understood.extensions.preserveUnknownFields[side] ?? extensions.preserveUnknownFields,
}));
const networkings = understood.groups.networking;

const createRule = (group: string, resource: string) => ({
  apiGroups: [group],
  apiVersions: ['v1'],
  resources: [resource],
  operations: ['CREATE'],
});

interface Policy {
  readonly name: string;
  /** The group of admission's configurations through which it is written. */
  readonly registration: string;
  readonly rule: ReturnType<typeof createRule>;
  readonly expressions: readonly string[];
  readonly more?: object;
  readonly paramRef?: object;
}

/** Puts a policy on the objects with its name as label into effect; `probe` creates one called `in-effect` in a dry run. */
async function put(policy: Policy, probe: () => Promise<{ code: number }>): Promise<void> {
  const { name, registration, rule, expressions, more, paramRef } = policy;
  const base = `/apis/${registration}/v1alpha1/validatingadmissionpolic`;
  const matchConstraints = {
    resourceRules: [rule],
    objectSelector: { matchLabels: { policy: name } },
  };
  const texts = ["object.metadata.name != 'in-effect'", ...expressions];
  const validations = texts.map(expression => ({ expression }));
  const spec = { matchConstraints, validations, ...more };
  const made = await server.call('POST', `${base}ies`, { body: { metadata: { name }, spec } });
  assert.equal(made.code, 201, made.text);
  const binding = { metadata: { name }, spec: { policyName: name, ...(paramRef && { paramRef }) } };
  const bound = await server.call('POST', `${base}ybindings`, { body: binding });
  assert.equal(bound.code, 201, bound.text);
  await until(`policy ${name} is in effect`, async () => (await probe()).code === 422);
}

const spec = { defaultBackend: { service: { name: 's', port: { number: 80 } } } };
/** An ingress that says in a label through which group it comes. */
const create = (
  group: string,
  policy: string,
  { name, path = group, query = '' }: { name: string; path?: string; query?: string },
) =>
  server.call('POST', `/apis/${group}/v1/namespaces/default/ingresses${query}`, {
    body: { metadata: { name, labels: { policy, path } }, spec },
  });
const probe = (policy: string) => () =>
  create(groups.networking, policy, { name: 'in-effect', query: '?dryRun=All' });

for (const [side, { registration, call }] of sides.entries())
  for (const [index, ruled] of networkings.entries())
    test(`a policy of ${registration} on ${ruled} has the group of the path, and other names as its author uses them`, async () => {
      const name = `sees-${side}-${index}`;
      const ofPath = 'object.metadata.labels.path';
      const kinds = ['kind', 'resource', 'requestKind', 'requestResource'];
      const expressions = [
        ...kinds.map(member => `request.${member}.group == ${ofPath}`),
        `object.apiVersion == ${ofPath} + '/v1'`,
        `request.options.apiVersion == '${call('meta')}/v1'`,
      ];
      await put({ name, registration, rule: createRule(ruled, 'ingresses'), expressions }, probe(name));
      for (const [at, group] of networkings.entries()) {
        const answer = await create(group, name, { name: `${name}-${at}` });
        assert.equal(answer.code, 201, answer.text);
        const wrong = await create(group, name, { name: `${name}-wrong`, path: 'elsewhere' });
        assert.equal(wrong.code, 422, wrong.text);
      }
    });

for (const [index, group] of networkings.entries())
  test(`a policy for ${group} refuses requests through that group only`, async () => {
    const name = `against-${index}`;
    const expressions = [`request.kind.group != '${group}' || object.apiVersion != '${group}/v1'`];
    const rule = createRule(group, 'ingresses');
    await put({ name, registration: groups.admissionregistration, rule, expressions }, probe(name));
    for (const [at, path] of networkings.entries()) {
      const { code, text } = await create(path, name, { name: `${name}-${at}` });
      assert.equal(code, path === group ? 422 : 201, text);
    }
  });

for (const { registration, extension } of sides)
  test(`a policy of ${registration} sees schema extensions in the names that its author uses`, async () => {
    const name = `schemas-${registration.replaceAll('.', '-')}`;
    const schema = 'object.spec.versions[0].schema.openAPIV3Schema';
    const expressions = [`!('${extension}' in ${schema}) || ${schema}['${extension}'] != true`];
    const rule = createRule(groups.apiextensions, 'customresourcedefinitions');
    const define = (plural: string, more: object, query = '') => {
      const body = createDefinition(plural, plural, { type: 'object', ...more });
      Object.assign(body.metadata, { labels: { policy: name } });
      return server.call('POST', `/apis/${groups.apiextensions}/v1/customresourcedefinitions${query}`, {
        body,
      });
    };
    const free = { [extensions.preserveUnknownFields]: true };
    const always = { ...createRule(groups.networking, 'ingresses') };
    const more = {
      matchConstraints: {
        resourceRules: [rule, always],
        objectSelector: { matchLabels: { policy: name } },
      },
    };
    const guarded = expressions.map(text => `request.kind.kind == 'Ingress' || (${text})`);
    await put({ name, registration, rule, expressions: guarded, more }, probe(name));
    assert.equal((await define('wholes', {}, '?dryRun=All')).code, 201);
    const refused = await define('frees', free, '?dryRun=All');
    assert.equal(refused.code, 422, refused.text);
    assert.match(refused.text, /denied request/);
  });

for (const [index, group] of networkings.entries())
  test(`parameters of ${group} have the apiVersion of the policy`, async () => {
    const name = `given-${index}`;
    const classes = `/apis/${groups.networking}/v1/ingressclasses`;
    const made = await server.call('POST', classes, {
      body: { metadata: { name }, spec: { controller: 'example.com/c' } },
    });
    assert.equal(made.code, 201, made.text);
    const more = { paramKind: { apiVersion: `${group}/v1`, kind: 'IngressClass' } };
    const expressions = [`params.apiVersion == '${group}/v1' && params.spec.controller == 'example.com/c'`];
    const rule = createRule(group, 'ingresses');
    const registration = groups.admissionregistration;
    await put({ name, registration, rule, expressions, more, paramRef: { name } }, probe(name));
    const answer = await create(groups.networking, name, { name });
    assert.equal(answer.code, 201, answer.text);
  });
