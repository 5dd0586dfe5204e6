import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checkSizes } from './check-sizes.ts';
import { findFunctions } from './functions.ts';

const longBody = 'a();\n'.repeat(80);
const cases: [what: string, file: string, content: string, violations: number][] = [
  ['a file of 500 lines is accepted', 'libs/a/a.ts', 'a();\n'.repeat(500), 0],
  ['a file of 501 lines is refused', 'libs/a/a.ts', 'a();\n'.repeat(501), 1],
  ['a test of 800 lines is accepted', 'libs/a/a.test.ts', 'a();\n'.repeat(800), 0],
  ['a test of 801 lines is refused', 'libs/a/a.test.ts', 'a();\n'.repeat(801), 1],
  ['a generated file may be long', 'proto/generated/a.ts', 'a();\n'.repeat(900), 0],
  ['a function of 82 lines is refused', 'libs/a/a.ts', `function f(): void {\n${longBody}}`, 1],
  ['a long function in a test is accepted', 'libs/a/a.test.ts', `test('x', () => {\n${longBody}});`, 0],
  ['a folder called utils is refused', 'libs/utils/a.ts', 'a();', 1],
  ['a folder called common inside a package is refused', 'libs/a/common/a.ts', 'a();', 1],
  ['a folder named for what it holds is accepted', 'libs/a/decisions/a.ts', 'a();', 0],
];

for (const [what, file, content, violations] of cases) {
  test(what, () => {
    const root = mkdtempSync(join(tmpdir(), 'binnacle-size-rules-'));
    try {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), content);
      assert.equal(checkSizes(root).length, violations);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
}

const functionCases: [what: string, source: string, lines: number[]][] = [
  ['a declaration', 'function f() {\n}', [2]],
  ['a signature over several lines counts', 'function f(\n  a: A,\n): B {\n}', [4]],
  ['a return type in braces', 'function f(): Promise<{ a: string }> {\n\n}', [3]],
  ['a return type that is an object', 'function f(): { a: string } {\n\n}', [3]],
  ['a method', 'class A { f(): void {\n } }', [2]],
  ['an arrow function', 'const f = (a: A): B => {\n};', [2]],
  ['statements are no functions', 'if (a) {\n}\nfor (const b of c) {\n}\nswitch (d) {\n}', []],
  ['a call with an object is no function', 'f({\n a: 1,\n});', []],
  ['a choice of objects is no function', 'const a = (b) ? (c) : {\n};', []],
];

for (const [what, source, lines] of functionCases) {
  test(`functions: ${what}`, () => {
    assert.deepEqual(
      findFunctions(source).map(span => span.lines),
      lines,
    );
  });
}
