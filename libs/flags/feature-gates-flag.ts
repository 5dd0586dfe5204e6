import type { FeatureGates } from './feature-gates/feature-gate.ts';
import { type FeatureName, knownGates } from './feature-gates/known-gates.ts';
import { describeFeatureGates, parseFeatureGates } from './feature-gates/parse-feature-gates.ts';
import { type Flag, listFlag } from './flag.ts';

/** The states of Binnacle's feature gates. */
type BinnacleGates = FeatureGates<FeatureName>;

/** Parses the value of `--feature-gates`: `A=true,B=false`. Throws as `parseFeatureGates` does. */
export function featureGatesFrom(text: string): BinnacleGates {
  return flag.parse([text]);
}

/** The flag `--feature-gates` of every service: all services of a deployment need the same features. */
export function featureGatesFlag(): Flag<BinnacleGates> {
  return flag;
}

const list = listFlag({ description: '' });

const flag: Flag<BinnacleGates> = {
  description: [
    'Features to switch on or off, as name=true|false pairs separated by commas:',
    ...describeFeatureGates(knownGates),
  ].join('\n      '),
  placeholder: 'name=bool,...',
  repeatable: true,
  required: false,
  defaultValue: parseFeatureGates([], knownGates),
  defaultText: '',
  parse: texts => parseFeatureGates(list.parse(texts), knownGates),
};
