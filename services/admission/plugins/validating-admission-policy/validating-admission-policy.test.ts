import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PluginEnvironment } from '../../chain/plugin-registration.ts';
import { defaultPluginSettings } from '../../test-drivers/plugin-fixture.ts';
import { validatingAdmissionPolicy } from './validating-admission-policy.ts';

const states: readonly [what: string, isOn: boolean, runtimeConfig: string][] = [
  ['by default', false, ''],
  ['with its gate alone', true, ''],
  ['where policies are served, without its gate', false, 'admissionregistration.cluster.io/v1alpha1'],
];

for (const [what, isOn, runtimeConfig] of states) {
  test(`the plugin does nothing ${what}`, () => {
    const settings = { ...defaultPluginSettings, validatingAdmissionPolicy: isOn, runtimeConfig };
    // It asks for nothing else before it knows that it is to do something.
    const plugin = validatingAdmissionPolicy.create({ settings } as PluginEnvironment);
    assert.deepEqual(Object.keys(plugin), ['name']);
  });
}
