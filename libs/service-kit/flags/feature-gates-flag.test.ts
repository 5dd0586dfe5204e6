import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeatureGate } from '../feature-gates/feature-gate.ts';
import { knownGates } from '../feature-gates/known-gates.ts';
import { describeFeatureGates, parseFeatureGates } from '../feature-gates/parse-feature-gates.ts';
import { registerFeatureMetrics } from '../feature-gates/register-feature-metrics.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { featureGatesFlag, featureGatesFrom } from './feature-gates-flag.ts';

const gates = {
  Early: { stage: 'alpha', default: false, description: 'what is new' },
  Second: { stage: 'alpha', default: false, description: 'what is newer' },
  Usual: { stage: 'beta', default: true, description: 'what is usual' },
  Settled: { stage: 'GA', default: true, description: 'what stays' },
  Leaving: { stage: 'deprecated', default: false, description: 'what goes' },
} as const satisfies Record<string, FeatureGate>;

const enabledAfter = (...texts: string[]) =>
  parseFeatureGates(texts, gates)
    .states.filter(({ enabled }) => enabled)
    .map(({ name }) => name);

const cases: [string[], string[]][] = [
  [[], ['Usual', 'Settled']],
  [['Early=true'], ['Early', 'Usual', 'Settled']],
  [
    ['Early=1', 'Usual=F'],
    ['Early', 'Settled'],
  ],
  [
    ['Early=true', 'Early=false'],
    ['Usual', 'Settled'],
  ],
  [['AllAlpha=true'], ['Early', 'Second', 'Usual', 'Settled']],
  [
    ['Early=false', 'AllAlpha=true'],
    ['Second', 'Usual', 'Settled'],
  ],
  [
    ['AllAlpha=true', 'Early=false'],
    ['Second', 'Usual', 'Settled'],
  ],
  [['AllBeta=false'], ['Settled']],
  [
    ['AllBeta=false', 'Usual=true'],
    ['Usual', 'Settled'],
  ],
  [
    ['Settled=true', 'Leaving=true'],
    ['Usual', 'Settled', 'Leaving'],
  ],
];
for (const [texts, enabled] of cases) {
  test(`${texts.join(',') || 'nothing'} leaves on: ${enabled.join(', ')}`, () => {
    assert.deepEqual(enabledAfter(...texts), enabled);
  });
}

const refused: [string, RegExp][] = [
  ['Unheard=true', /there is no feature gate Unheard/],
  ['constructor=true', /there is no feature gate constructor/],
  ['Early', /Early: the value is missing/],
  ['Early=perhaps', /Early=perhaps: the value must be true or false/],
  ['Settled=false', /Settled cannot be switched off/],
];
for (const [text, message] of refused) {
  test(`${text} is refused by name`, () => {
    assert.throws(() => parseFeatureGates([text], gates), message);
  });
}

test('a gate that does nothing or goes away warns when it is used, others do not', () => {
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

test('alpha gates are off, beta and GA gates on by default', () => {
  for (const [name, { stage, default: on }] of Object.entries(knownGates))
    assert.equal(on, stage !== 'alpha', name);
});

test('the flag adds up and takes lists', () => {
  const parsed = featureGatesFlag().parse([
    'APIListChunking=false,AggregatedDiscoveryEndpoint=true',
    'OpenAPIV3=false',
  ]);
  assert.equal(parsed.isEnabled('APIListChunking'), false);
  assert.equal(parsed.isEnabled('AggregatedDiscoveryEndpoint'), true);
  assert.equal(parsed.isEnabled('OpenAPIV3'), false);
  assert.equal(parsed.isEnabled('ServerSideFieldValidation'), true);
});

test('metrics show every gate with its stage', async () => {
  const metrics = createMetrics({ process: false });
  registerFeatureMetrics(metrics, featureGatesFrom('APIListChunking=false'));
  const { body } = await metrics.render();
  assert.match(body, /^kubernetes_feature_enabled\{name="APIListChunking",stage="BETA"\} 0$/m);
  assert.match(body, /^kubernetes_feature_enabled\{name="AggregatedDiscoveryEndpoint",stage="ALPHA"\} 0$/m);
  assert.match(body, /^kubernetes_feature_enabled\{name="ServerSideApply",stage=""\} 1$/m);
});
