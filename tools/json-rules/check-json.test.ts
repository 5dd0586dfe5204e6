import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checkJson } from './check-json.ts';

const cases: [what: string, file: string, content: string, violations: number][] = [
  ['JSON.parse is refused', 'libs/a/a.ts', 'JSON.parse(text);', 1],
  ['JSON.parse as a value is refused', 'services/a/a.ts', 'texts.map(JSON.parse);', 1],
  ['JSON.parse in a test is accepted', 'libs/a/a.test.ts', 'JSON.parse(text);', 0],
  [
    'JSON.parse of what is no object is accepted where the table says so',
    'libs/status-errors/wire.ts',
    'JSON.parse(text);',
    0,
  ],
  ['JSON.parse in what drives tests is accepted', 'libs/a/test-drivers/a.ts', 'JSON.parse(text);', 0],
  ['readJson is accepted', 'clients/a/a.ts', 'readJson(text);', 0],
];

for (const [what, file, content, violations] of cases) {
  test(what, () => {
    const root = mkdtempSync(join(tmpdir(), 'binnacle-json-rules-'));
    try {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), content);
      assert.equal(checkJson(root).length, violations);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
}
