import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectPlugins } from './plugin-selection.ts';

const registered = [
  { name: 'First', byDefault: true },
  { name: 'Second', byDefault: false },
  { name: 'Third', byDefault: true },
];
const names = (enabled: string[], disabled: string[]) =>
  selectPlugins(registered, { enableAdmissionPlugins: enabled, disableAdmissionPlugins: disabled }).map(
    plugin => plugin.name,
  );

test('plugins run in a fixed order, whatever the order of flags', () => {
  assert.deepEqual(names([], []), ['First', 'Third']);
  assert.deepEqual(names(['Second'], ['First']), ['Second', 'Third']);
});

test('unknown plugins, and plugins both enabled and disabled, are refused', () => {
  assert.throws(
    () => names(['Fourth'], []),
    /unknown admission plugin "Fourth"; there are: First, Second, Third/,
  );
  assert.throws(() => names([], ['first']), /unknown admission plugin/);
  assert.throws(() => names(['Second'], ['Second']), /both enabled and disabled/);
});
