import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, findDefinition } from '../test-drivers/process.ts';

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const webhook = {
  name: 'hook.example.com',
  clientConfig: { service: { namespace: 'n', name: 's' } },
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const at = 'webhooks[0]';

interface Case {
  readonly what: string;
  readonly change: Record<string, unknown>;
  readonly findings: readonly string[];
}

const withRule = (change: Record<string, unknown>) => ({ rules: [{ ...rule, ...change }] });

const cases: readonly Case[] = [
  { what: 'a name of two parts', change: { name: 'a.b' }, findings: [`Invalid ${at}.name`] },
  {
    what: 'no side effects named',
    change: { sideEffects: undefined },
    findings: [`Required ${at}.sideEffects`],
  },
  {
    what: 'some side effects',
    change: { sideEffects: 'Some' },
    findings: [`NotSupported ${at}.sideEffects`],
  },
  {
    what: 'unknown side effects',
    change: { sideEffects: 'X' },
    findings: [`NotSupported ${at}.sideEffects`],
  },
  {
    what: 'no versions',
    change: { admissionReviewVersions: [] },
    findings: [`Required ${at}.admissionReviewVersions`],
  },
  {
    what: 'versions that no server speaks',
    change: { admissionReviewVersions: ['v2', 'v2'] },
    findings: [`Duplicate ${at}.admissionReviewVersions[1]`, `Invalid ${at}.admissionReviewVersions`],
  },
  {
    what: 'a known version among others',
    change: { admissionReviewVersions: ['v2', 'v1beta1'] },
    findings: [],
  },
  { what: 'a timeout of 0', change: { timeoutSeconds: 0 }, findings: [`Invalid ${at}.timeoutSeconds`] },
  { what: 'a timeout of 31', change: { timeoutSeconds: 31 }, findings: [`Invalid ${at}.timeoutSeconds`] },
  {
    what: 'an unknown policy',
    change: { failurePolicy: 'X' },
    findings: [`NotSupported ${at}.failurePolicy`],
  },
  {
    what: 'a bad selector',
    change: { objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
    findings: [`Required ${at}.objectSelector.matchExpressions[0].values`],
  },
  { what: 'no way to reach it', change: { clientConfig: {} }, findings: [`Required ${at}.clientConfig`] },
  {
    what: 'two ways to reach it',
    change: { clientConfig: { ...webhook.clientConfig, url: 'https://h' } },
    findings: [`Required ${at}.clientConfig`],
  },
  { what: 'a URL', change: { clientConfig: { url: 'https://h:8443/p' } }, findings: [] },
  ...['https:///p', 'https://', 'https:h', 'https:////h'].map(url => ({
    what: `${url}, a URL without a host`,
    change: { clientConfig: { url } },
    findings: [`Invalid ${at}.clientConfig.url`],
  })),
  ...['h', '/p', ''].map(url => ({
    what: `${url || 'an empty text'}, neither scheme nor host`,
    change: { clientConfig: { url } },
    findings: [`Invalid ${at}.clientConfig.url`, `Invalid ${at}.clientConfig.url`],
  })),
  ...['https://a b', 'https://h:x', 'https://h/%zz', ':h'].map(url => ({
    what: `${url}, no URL`,
    change: { clientConfig: { url } },
    findings: [`Required ${at}.clientConfig.url`],
  })),
  {
    what: 'a URL with everything that it may not have',
    change: { clientConfig: { url: 'http://u:p@h/?q#f' } },
    findings: Array.from({ length: 4 }, () => `Invalid ${at}.clientConfig.url`),
  },
  {
    what: 'a service without names, with a bad path and port',
    change: { clientConfig: { service: { path: 'x', port: 70000 } } },
    findings: [
      `Required ${at}.clientConfig.service.namespace`,
      `Required ${at}.clientConfig.service.name`,
      `Invalid ${at}.clientConfig.service.port`,
      `Invalid ${at}.clientConfig.service.path`,
      `Invalid ${at}.clientConfig.service.path`,
    ],
  },
  {
    what: 'an empty rule',
    change: { rules: [{}] },
    findings: ['operations', 'apiGroups', 'apiVersions', 'resources'].map(
      field => `Required ${at}.rules[0].${field}`,
    ),
  },
  {
    what: 'wildcards beside others',
    change: withRule({ operations: ['*', 'CREATE'], apiGroups: ['*', 'a'], apiVersions: ['*', 'v1'] }),
    findings: ['operations', 'apiGroups', 'apiVersions'].map(field => `Invalid ${at}.rules[0].${field}`),
  },
  {
    what: 'an unknown operation',
    change: withRule({ operations: ['GET'] }),
    findings: [`NotSupported ${at}.rules[0].operations[0]`],
  },
  {
    what: 'an unknown scope',
    change: withRule({ scope: 'X' }),
    findings: [`NotSupported ${at}.rules[0].scope`],
  },
  {
    what: 'all and all subresources',
    change: withRule({ resources: ['*', '*/*'] }),
    findings: [`Invalid ${at}.rules[0].resources`],
  },
  {
    what: 'resources and subresources',
    change: withRule({ resources: ['pods', 'pods/*', '*/scale'] }),
    findings: [],
  },
  {
    what: 'resources that wildcards cover',
    change: withRule({ resources: ['*', 'pods', 'pods/*', 'pods/status', '*/scale', 'jobs/scale'] }),
    findings: ['', '[3]', '[5]'].map(index => `Invalid ${at}.rules[0].resources${index}`),
  },
];

describe('a webhook', () => {
  for (const { what, change, findings } of cases)
    it(what, () => {
      const content = { webhooks: [{ ...webhook, ...change }] };
      assert.deepEqual(create('validatingwebhookconfigurations', content).findings, findings);
    });

  it('gets its defaults', () => {
    const { object, findings } = create('validatingwebhookconfigurations', { webhooks: [webhook] });
    assert.deepEqual(findings, []);
    assert.deepEqual(object['webhooks'], [
      {
        ...webhook,
        clientConfig: { service: { namespace: 'n', name: 's', port: 443 } },
        rules: [{ ...rule, scope: '*' }],
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
      },
    ]);
  });

  it('keeps the groups of its rules as written', () => {
    const apiGroups = ['networking.k8s.io', 'networking.cluster.io', 'gateway.networking.k8s.io'];
    const { object } = create('validatingwebhookconfigurations', {
      webhooks: [{ ...webhook, rules: [{ ...rule, apiGroups }] }],
    });
    const [first] = object['webhooks'] as { rules: { apiGroups: string[] }[] }[];
    assert.deepEqual(first?.rules[0]?.apiGroups, apiGroups);
  });

  it('has an authored part without the CA bundle, which other programs update', () => {
    const authored = (change: object, clientConfig: object = {}) => {
      const one = { ...webhook, clientConfig: { ...webhook.clientConfig, ...clientConfig }, ...change };
      const { object } = create('validatingwebhookconfigurations', { webhooks: [one] });
      return findDefinition('validatingwebhookconfigurations').rules.authored?.(object);
    };
    const before = authored({});
    assert.deepEqual(authored({}, { caBundle: 'eA==' }), before);
    assert.notDeepEqual(authored({ failurePolicy: 'Ignore' }), before);
    assert.notDeepEqual(authored({}, { service: { namespace: 'n', name: 'other' } }), before);
  });

  it('is reinvoked, if it is a mutating one, only when it asks for it', () => {
    const plural = 'mutatingwebhookconfigurations';
    const { object, findings } = create(plural, { webhooks: [webhook] });
    assert.deepEqual(findings, []);
    const [first] = object['webhooks'] as { reinvocationPolicy: string }[];
    assert.equal(first?.reinvocationPolicy, 'Never');
    const unknown = { ...webhook, name: 'a.b', reinvocationPolicy: 'X' };
    assert.deepEqual(create(plural, { webhooks: [unknown] }).findings, [
      `NotSupported ${at}.reinvocationPolicy`,
      `Invalid ${at}.name`,
    ]);
  });

  it('must have a unique name in the configuration', () => {
    const { findings } = create('validatingwebhookconfigurations', { webhooks: [webhook, webhook] });
    assert.deepEqual(findings, ['Duplicate webhooks[1].name']);
  });
});
