import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import { FlagError, parseFlags, settingsFrom } from '@binnacle/flags';
import { aliasFlags } from './alias-flags.ts';

const cases: [string[], Record<string, string>, string][] = [
  [['--kubernetes-client-compatibility'], {}, '--kubernetes-client-compatibility'],
  [['--kubernetes-client-compatibility=false'], {}, '--kubernetes-client-compatibility'],
  [[], { BINNACLE_LIST_ALIAS_GROUPS: 'false' }, 'BINNACLE_LIST_ALIAS_GROUPS'],
];

suite('aliases under cluster', { skip: vocabulary !== 'cluster' && 'groups have no aliases' }, () => {
  test('groups are found and listed under both names by default', () => {
    assert.deepEqual(settingsFrom(aliasFlags), {
      kubernetesClientCompatibility: true,
      listAliasGroups: true,
    });
  });

  for (const [args, environment] of cases)
    test(`[${args}] and ${JSON.stringify(environment)} are accepted`, () => {
      parseFlags(aliasFlags, args, environment);
    });
});

suite('aliases under kubernetes', { skip: vocabulary !== 'kubernetes' && 'groups have aliases' }, () => {
  test('are not available', () => {
    assert.deepEqual(settingsFrom(aliasFlags), {
      kubernetesClientCompatibility: false,
      listAliasGroups: false,
    });
  });

  for (const [args, environment, source] of cases)
    test(`[${args}] and ${JSON.stringify(environment)} are refused by name`, () => {
      const message = `${source} cannot be set with --api-names=kubernetes: groups have no aliases there`;
      assert.throws(() => parseFlags(aliasFlags, args, environment), { name: FlagError.name, message });
    });
});
