import type { Flag } from '../flags/flag.ts';
import { listFlag } from '../flags/flag.ts';
import type { FeatureGates } from './feature-gate.ts';
import { type FeatureName, knownGates } from './known-gates.ts';
import { describeFeatureGates, parseFeatureGates } from './parse-feature-gates.ts';

/** The gates that Binnacle has, as they are set. */
export type BinnacleGates = FeatureGates<FeatureName>;

/** Sets Binnacle's gates from the text of `--feature-gates`: `A=true,B=false`. Throws as `parseFeatureGates` does. */
export function featureGatesFrom(text: string): BinnacleGates {
  return flag.parse([text]);
}

/** The flag `--feature-gates`, which every service has: the features of a process are those of all its peers. */
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
