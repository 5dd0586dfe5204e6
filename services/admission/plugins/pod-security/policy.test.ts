import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofCluster } from '@binnacle/api-names/testing';
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

/** Labels under the own name and under that of existing clients, and what is enforced. */
const mixed: readonly [
  own: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
  string,
][] = [
  [{}, { enforce: 'restricted' }, 'restricted:latest'],
  [{ enforce: 'baseline' }, { enforce: 'restricted' }, 'restricted:latest'],
  [{ enforce: 'restricted' }, { enforce: 'privileged' }, 'restricted:latest'],
  [{ enforce: 'privileged' }, { enforce: 'baseline', 'enforce-version': 'v1.20' }, 'baseline:v1.20'],
  [{ enforce: 'baseline', 'enforce-version': 'v1.20' }, { enforce: 'baseline' }, 'baseline:latest'],
  [
    { enforce: 'baseline', 'enforce-version': 'v1.20' },
    { enforce: 'baseline', 'enforce-version': 'v1.19' },
    'baseline:v1.20',
  ],
  [{ enforce: 'privileged' }, { enforce: 'x' }, 'restricted:latest'],
  [{ 'enforce-version': 'v1.20' }, { enforce: 'baseline' }, 'baseline:v1.20'],
  [{ enforce: 'baseline', 'enforce-version': 'v1.20' }, { 'enforce-version': 'v1.9' }, 'baseline:v1.20'],
  [{ 'enforce-version': 'v1.20' }, { 'enforce-version': 'v1.9' }, 'privileged:v1.20'],
  [{ 'enforce-version': 'v1.9' }, { 'enforce-version': 'latest' }, 'privileged:latest'],
];
for (const [own, other, expected] of mixed)
  test(`the stricter of ${JSON.stringify(own)} and ${JSON.stringify(other)} applies`, ofCluster, () => {
    const under = (domain: string, labels: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(labels).map(([name, value]) => [`pod-security.${domain}/${name}`, value]),
      );
    const { policy } = policyFrom(
      { ...under('cluster.io', own), ...under('kubernetes.io', other) },
      defaults,
    );
    assert.equal(formatLevelVersion(policy.enforce), expected);
  });
