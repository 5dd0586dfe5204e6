import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLevelVersion } from './checks/level-version.ts';
import { policyFrom } from './policy.ts';

const latest = { level: 'privileged', version: 'latest' } as const;
const defaults = { enforce: latest, audit: latest, warn: latest };
const read = (labels: Record<string, string>) => {
  const prefixed = Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [`pod-security.cluster.io/${key}`, value]),
  );
  const { policy, errors } = policyFrom(prefixed, defaults);
  const texts = [policy.enforce, policy.audit, policy.warn].map(formatLevelVersion);
  return [...texts, ...errors.map(({ field }) => field)];
};
const label = (name: string) => `metadata.labels[pod-security.cluster.io/${name}]`;
const lenient = 'privileged:latest';

const cases: readonly (readonly [Record<string, string>, readonly string[]])[] = [
  [{}, [lenient, lenient, lenient]],
  [{ enforce: 'baseline' }, ['baseline:latest', lenient, 'baseline:latest']],
  [{ enforce: 'baseline', 'enforce-version': 'v1.20' }, ['baseline:v1.20', lenient, 'baseline:v1.20']],
  [{ enforce: 'baseline', 'warn-version': 'v1.21' }, ['baseline:latest', lenient, 'baseline:v1.21']],
  [{ enforce: 'restricted', warn: 'baseline' }, ['restricted:latest', lenient, 'baseline:latest']],
  [{ audit: 'restricted', 'audit-version': 'v1.0' }, [lenient, 'restricted:v1.0', lenient]],
  [{ enforce: 'x' }, ['restricted:latest', lenient, lenient, label('enforce')]],
  [{ audit: 'x', warn: 'x' }, [lenient, lenient, lenient, label('audit'), label('warn')]],
  [
    { 'enforce-version': 'v9', 'audit-version': 'v1.01', 'warn-version': '1.2' },
    [lenient, lenient, lenient, ...['enforce-version', 'audit-version', 'warn-version'].map(label)],
  ],
];
for (const [labels, expected] of cases)
  test(`labels ${JSON.stringify(labels)}`, () => {
    assert.deepEqual(read(labels), expected);
  });

test('the label of existing clients counts, after our own', () => {
  const { policy } = policyFrom(
    {
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.cluster.io/enforce': 'baseline',
      'pod-security.kubernetes.io/audit': 'restricted',
    },
    defaults,
  );
  assert.deepEqual([policy.enforce.level, policy.audit.level], ['baseline', 'restricted']);
});
