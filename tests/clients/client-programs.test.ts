import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oldGo } from './client-programs.ts';

test('Go 1.19 and later can build the Go clients, and earlier releases are refused', () => {
  for (const version of ['go1.19', 'go1.19.8', 'go1.26.8', 'devel go1.27-abcdef'])
    assert.equal(oldGo(version), undefined, version);
  for (const version of ['go1.15.15', 'go1.18.10'])
    assert.equal(oldGo(version), `${version} is too old: Go 1.19 or later is needed`);
});
