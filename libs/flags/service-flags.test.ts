import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vocabularies, vocabulary } from '@binnacle/api-names';
import { parseFlags, settingsFrom } from './parse-flags.ts';
import { serviceFlags } from './service-flags.ts';

const { apiNames } = serviceFlags;
const [other = ''] = vocabularies.filter(name => name !== vocabulary);

test('--api-names is the vocabulary that the process was started with, given or not', () => {
  assert.deepEqual(parseFlags({ apiNames }, [`--api-names=${vocabulary}`], {}), { apiNames: vocabulary });
  assert.deepEqual(parseFlags({ apiNames }, [], { BINNACLE_API_NAMES: vocabulary }), {
    apiNames: vocabulary,
  });
  assert.deepEqual(parseFlags({ apiNames }, [], {}), { apiNames: vocabulary });
  assert.deepEqual(settingsFrom({ apiNames }), { apiNames: vocabulary });
});

const refused: [string[], Record<string, string>, RegExp][] = [
  [['--api-names=k8s'], {}, /^--api-names must be one of cluster, kubernetes$/],
  [[], { BINNACLE_API_NAMES: 'Cluster' }, /^BINNACLE_API_NAMES must be one of cluster, kubernetes$/],
  [['--api-names'], {}, /^--api-names needs a value$/],
  [['--api-names='], {}, /^--api-names must be one of cluster, kubernetes$/],
  [
    [`--api-names=${other}`],
    {},
    new RegExp(`^--api-names must be ${vocabulary}, which this process was started with$`),
  ],
];
for (const [argv, env, message] of refused) {
  test(`[${argv}] with ${JSON.stringify(env)} is refused: ${message.source}`, () => {
    assert.throws(() => parseFlags({ apiNames }, argv, env), { name: 'FlagError', message });
  });
}
