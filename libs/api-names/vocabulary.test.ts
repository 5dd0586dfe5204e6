import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
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
  test(`arguments [${args.join(' ')}] and the variable ${variable} select ${chosen}`, () => {
    assert.equal(chosenVocabulary(args, { BINNACLE_API_NAMES: variable }), chosen);
  });
}

const folder = mkdtempSync(join(tmpdir(), 'binnacle-vocabulary-'));
after(() => rmSync(folder, { recursive: true }));
const config = join(folder, 'config.yaml');
writeFileSync(config, 'port: 6443\n"api-names": kubernetes # as it is written\n');

test('the file of --config selects the vocabulary where arguments and environment do not', () => {
  assert.equal(chosenVocabulary(['--config', config], {}), 'kubernetes');
  assert.equal(chosenVocabulary([], { BINNACLE_CONFIG: config }), 'kubernetes');
  assert.equal(chosenVocabulary([`--config=${config}`, '--api-names=cluster'], {}), 'cluster');
  assert.equal(chosenVocabulary([`--config=${config}`], { BINNACLE_API_NAMES: 'cluster' }), 'cluster');
  assert.equal(chosenVocabulary(['--config', join(folder, 'none.yaml')], {}), 'cluster');
});
