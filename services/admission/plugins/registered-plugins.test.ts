import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { registeredPlugins } from './registered-plugins.ts';

test('the document lists the registered plugins and their defaults', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/admission-plugins.md'), 'utf8');
  const rows = [...document.matchAll(/^\| ([A-Z][\w, ]+?) \| (on|off)/gm)];
  const documented = rows.flatMap(([, names = '', isOn]) => names.split(', ').map(name => `${name} ${isOn}`));
  const registered = registeredPlugins.map(({ name, byDefault }) => `${name} ${byDefault ? 'on' : 'off'}`);
  assert.deepEqual(documented.sort(), registered.sort());
});
