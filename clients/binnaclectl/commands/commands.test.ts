import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusErrorFromStatus } from '@binnacle/status-errors';
import { conversionFlags } from '@binnacle/storage/testing';
import { globalFlags } from '../arguments/global-flags.ts';
import { flagName } from '../arguments/parse-arguments.ts';
import { conflictError } from '../objects/apply-manifest.ts';
import { commands } from './commands.ts';
import { commandHelp, generalHelp } from './help.ts';
import { storeFlags } from './store-flags.ts';

test('a flag has the same letter, and either needs a value or does not, in all commands that have it', () => {
  const forms = new Map<string, string>();
  for (const { flags } of commands)
    for (const [name, { short, bare, placeholder }] of Object.entries({ ...flags, ...globalFlags })) {
      const form = JSON.stringify([short, bare === undefined, placeholder === '']);
      assert.equal(forms.get(name) ?? form, form, name);
      forms.set(name, form);
    }
});

test('no letter stands for two flags of one command', () => {
  for (const { name, flags } of commands) {
    const letters = Object.values({ ...flags, ...globalFlags }).flatMap(({ short }) => short ?? []);
    assert.equal(new Set(letters).size, letters.length, name);
  }
});

test('the general help names every command, and the help of a command every flag', () => {
  const general = generalHelp(commands);
  for (const command of commands) {
    assert.ok(general.includes(`\n  ${command.name} `), command.name);
    const help = commandHelp(command);
    for (const name of Object.keys(command.flags)) assert.ok(help.includes(`--${flagName(name)}`), name);
    assert.ok(command.examples.every(example => help.includes(`binnaclectl ${example}`)));
  }
});

test('convert and restore have every flag of storage that selects a store', () => {
  const names = Object.keys(conversionFlags).filter(name => name !== 'backend');
  assert.deepEqual(Object.keys(storeFlags).sort(), names.sort());
});

test('a conflict is reported field by field with its manager', () => {
  const cause = (manager: string, field: string) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with "${manager}"`,
    field,
  });
  const of = (causes: object[]) =>
    conflictError(
      statusErrorFromStatus({ reason: 'Conflict', message: 'm', code: 409, details: { causes } }, 409),
    );
  assert.match(
    of([cause('painter', '.data.a')])?.message ?? '',
    /^Apply failed with 1 conflict: conflict with "painter": \.data\.a\nPlease review/,
  );
  assert.match(
    of([cause('painter', '.data.a'), cause('other', '.data.b')])?.message ?? '',
    /^Apply failed with 2 conflicts:\n- conflict with "painter": \.data\.a\n- conflict with "other": \.data\.b\n/,
  );
  assert.equal(of([]), undefined);
});
