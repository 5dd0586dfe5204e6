import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeRole } from './describe-access.ts';
import { formatTabs } from './format-tabs.ts';

test('a role is described by one line for each resource, with all its verbs', () => {
  const role = {
    metadata: { name: 'r' },
    rules: [
      { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['watch', 'get'] },
      { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['update'], resourceNames: ['a', 'b'] },
      { nonResourceURLs: ['/metrics'], verbs: ['get'] },
    ],
  };
  // As kubectl 1.26 writes it.
  assert.equal(
    formatTabs(describeRole(role)),
    [
      'Name:         r',
      'Labels:       <none>',
      'Annotations:  <none>',
      'PolicyRule:',
      '  Resources               Non-Resource URLs  Resource Names  Verbs',
      '  ---------               -----------------  --------------  -----',
      '  pods                    []                 []              [get list watch]',
      '  pods/log                []                 []              [get list]',
      '                          [/metrics]         []              [get]',
      '  deployments.apps/scale  []                 [a]             [update]',
      '  deployments.apps/scale  []                 [b]             [update]',
      '',
    ].join('\n'),
  );
});
