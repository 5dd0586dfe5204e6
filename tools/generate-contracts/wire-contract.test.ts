import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadProtos } from './load-protos.ts';
import { brokenLines, wireLines } from './wire-contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-wire-'));
after(() => rmSync(folder, { recursive: true }));

const before = `
message Asked { string key = 1; repeated Part parts = 2; map<string, Part> named = 3; optional Kind kind = 4; }
message Part { bytes value = 1; }
enum Kind { NONE = 0; SOME = 1; }
service Storage { rpc Get(Asked) returns (Part); rpc Changes(Asked) returns (stream Part); }`;

function linesOf(declarations: string): string[] {
  writeFileSync(
    join(folder, 'storage.proto'),
    `syntax = "proto3";\npackage binnacle.internal.storage;\n${declarations}`,
  );
  return wireLines(loadProtos(folder));
}

test('a line says what is sent of a field, an enum value and a method', () => {
  assert.deepEqual(linesOf(before), [
    'storage.Asked 1: string',
    'storage.Asked 2: repeated storage.Part',
    'storage.Asked 3: map<string, storage.Part>',
    'storage.Asked 4: storage.Kind',
    'storage.Kind 0',
    'storage.Kind 1',
    'storage.Part 1: bytes',
    'storage.Storage/Changes: Asked stream Part',
    'storage.Storage/Get: Asked Part',
  ]);
});

const changes: readonly [name: string, from: string, to: string, broken: string[]][] = [
  ['a field is added', 'string key = 1;', 'string key = 1; string more = 9;', []],
  ['a field is called otherwise', 'string key = 1;', 'string name = 1;', []],
  ['a field gets another number', 'string key = 1;', 'string key = 9;', ['storage.Asked 1: string']],
  ['a field gets another type', 'string key = 1;', 'bytes key = 1;', ['storage.Asked 1: string']],
  ['a field is removed', 'string key = 1;', 'reserved 1;', ['storage.Asked 1: string']],
  ['a field is repeated', 'bytes value = 1;', 'repeated bytes value = 1;', ['storage.Part 1: bytes']],
  ['an enum value is removed', 'SOME = 1;', '', ['storage.Kind 1']],
  ['a method streams', 'returns (Part);', 'returns (stream Part);', ['storage.Storage/Get: Asked Part']],
  ['a method has another name', 'Get(', 'Read(', ['storage.Storage/Get: Asked Part']],
];
for (const [name, from, to, broken] of changes)
  test(`${name}: ${broken.length === 0 ? 'both releases understand it' : 'refused'}`, () => {
    assert.deepEqual(brokenLines(linesOf(before), linesOf(before.replace(from, to))), broken);
  });
