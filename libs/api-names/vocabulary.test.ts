import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenVocabulary } from './vocabulary.ts';

const cases: [string[], string | undefined, string][] = [
  [[], undefined, 'cluster'],
  [[], 'kubernetes', 'kubernetes'],
  [['--api-names=kubernetes'], undefined, 'kubernetes'],
  [['--insecure', '--api-names', 'kubernetes'], 'cluster', 'kubernetes'],
  [['--api-names=cluster'], 'kubernetes', 'cluster'],
  [['--api-names=kubernetes', '--api-names=cluster'], undefined, 'cluster'],
  [['--api-names'], 'kubernetes', 'kubernetes'],
  [['--api-names=k8s'], undefined, 'cluster'],
];
for (const [args, variable, chosen] of cases) {
  test(`arguments [${args.join(' ')}] and the variable ${variable} choose ${chosen}`, () => {
    assert.equal(chosenVocabulary(args, { BINNACLE_API_NAMES: variable }), chosen);
  });
}
