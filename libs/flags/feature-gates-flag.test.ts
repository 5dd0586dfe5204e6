import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics } from '@binnacle/telemetry';
import type { FeatureGate } from './feature-gates/feature-gate.ts';
import { knownGates } from './feature-gates/known-gates.ts';
import { describeFeatureGates, parseFeatureGates } from './feature-gates/parse-feature-gates.ts';
import { registerFeatureMetrics } from './feature-gates/register-feature-metrics.ts';
import { featureGatesFlag, featureGatesFrom } from './feature-gates-flag.ts';

const gates = {
  Early: { stage: 'alpha', default: false, description: 'what is new' },
  Second: { stage: 'alpha', default: false, description: 'what is newer' },
  Usual: { stage: 'beta', default: true, description: 'what is usual' },
  Settled: { stage: 'GA', default: true, description: 'what stays' },
  Loose: { stage: 'GA', default: true, canBeSwitchedOff: true, description: 'what stays, or not' },
  Leaving: { stage: 'deprecated', default: false, description: 'what goes' },
} as const satisfies Record<string, FeatureGate>;

const enabledAfter = (...texts: string[]) =>
  parseFeatureGates(texts, gates)
    .states.filter(({ enabled }) => enabled)
    .map(({ name }) => name);

const cases: [string[], string[]][] = [
  [[], ['Usual', 'Settled', 'Loose']],
  [['Early=true'], ['Early', 'Usual', 'Settled', 'Loose']],
  [
    ['Early=1', 'Usual=F'],
    ['Early', 'Settled', 'Loose'],
  ],
  [
    ['Early=true', 'Early=false'],
    ['Usual', 'Settled', 'Loose'],
  ],
  [['AllAlpha=true'], ['Early', 'Second', 'Usual', 'Settled', 'Loose']],
  [
    ['Early=false', 'AllAlpha=true'],
    ['Second', 'Usual', 'Settled', 'Loose'],
  ],
  [
    ['AllAlpha=true', 'Early=false'],
    ['Second', 'Usual', 'Settled', 'Loose'],
  ],
  [['AllBeta=false'], ['Settled', 'Loose']],
  [
    ['AllBeta=false', 'Usual=true'],
    ['Usual', 'Settled', 'Loose'],
  ],
  [['Loose=false'], ['Usual', 'Settled']],
  [
    ['Settled=true', 'Leaving=true'],
    ['Usual', 'Settled', 'Loose', 'Leaving'],
  ],
];
for (const [texts, enabled] of cases) {
  test(`${texts.join(',') || 'no setting'} enables: ${enabled.join(', ')}`, () => {
    assert.deepEqual(enabledAfter(...texts), enabled);
  });
}

const refused: [string, RegExp][] = [
  ['Unheard=true', /: Unheard: there is no feature gate of this name$/],
  ['constructor=true', /constructor: there is no feature gate/],
  ['Early', /Early: the value is missing/],
  ['Early=perhaps', /Early=perhaps: the value must be true or false/],
  ['Settled=false', /Settled cannot be switched off/],
];
for (const [text, message] of refused) {
  test(`${text} is refused by name`, () => {
    assert.throws(() => parseFeatureGates([text], gates), message);
  });
}

test('a gate without effect or to be removed logs a warning when it is set, others do not', () => {
  const { warnings } = parseFeatureGates(['Settled=true', 'Leaving=false', 'Usual=true'], gates);
  assert.equal(warnings.length, 2);
  assert.match(warnings[0] ?? '', /Settled/);
  assert.match(warnings[1] ?? '', /Leaving is deprecated/);
});

test('the help text names every gate with its stage and default, deprecated ones too', () => {
  const lines = describeFeatureGates(gates);
  assert.ok(lines.includes('Early=true|false: what is new (alpha, default: false)'));
  assert.ok(lines.includes('Leaving=true|false: what goes (deprecated, default: false)'));
  for (const name of ['AllAlpha', 'AllBeta', ...Object.keys(gates)]) {
    assert.ok(
      lines.some(line => line.startsWith(`${name}=`)),
      name,
    );
  }
});

test('every gate of the release is known, with its stage and default', async () => {
  const path = join(import.meta.dirname, 'fixtures/release-gates.tsv');
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  const known = Object.entries(knownGates).map(
    ([name, { stage, default: on }]) =>
      `${name}\t${stage === 'GA' ? '' : stage.toUpperCase()}\t${Number(on)}`,
  );
  assert.deepEqual(known.sort(), lines.sort());
});

test('gates without effect have one line in the help text', () => {
  const idle = { stage: 'alpha', default: false, description: '' } as const;
  const lines = describeFeatureGates({ Early: gates.Early, Idle: idle, Also: { ...idle, stage: 'GA' } });
  assert.equal(lines.at(-1), 'Accepted without effect: Also (GA, always on), Idle (alpha, default: false)');
});

test('the flag may be repeated and accepts lists', () => {
  const parsed = featureGatesFlag().parse([
    'APIListChunking=false,AggregatedDiscoveryEndpoint=true',
    'OpenAPIV3=false',
  ]);
  assert.equal(parsed.isEnabled('APIListChunking'), false);
  assert.equal(parsed.isEnabled('AggregatedDiscoveryEndpoint'), true);
  assert.equal(parsed.isEnabled('OpenAPIV3'), false);
  assert.equal(parsed.isEnabled('ServerSideFieldValidation'), true);
});

test('metrics show every gate that has an effect with its stage', async () => {
  const metrics = createMetrics({ process: false });
  registerFeatureMetrics(metrics, featureGatesFrom('APIListChunking=false'));
  const { body } = await metrics.render();
  assert.match(body, /^kubernetes_feature_enabled\{name="APIListChunking",stage="BETA"\} 0$/m);
  assert.match(body, /^kubernetes_feature_enabled\{name="AggregatedDiscoveryEndpoint",stage="ALPHA"\} 0$/m);
  assert.match(body, /^kubernetes_feature_enabled\{name="ServerSideApply",stage=""\} 1$/m);
  assert.doesNotMatch(body, /CPUManager/);
});
