import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findImports } from './imports.ts';

const cases: [what: string, source: string, found: string[]][] = [
  ['a named import', `import { a } from './a.ts';`, ['./a.ts']],
  ['an import over several lines', `import {\n  a,\n  b,\n} from './a.ts';`, ['./a.ts']],
  ['an import of everything', `import * as a from 'a';`, ['a']],
  ['an import for its effects', `import 'a';`, ['a']],
  ['a re-export', `export { a } from 'a';\nexport * from 'b';`, ['a', 'b']],
  ['a dynamic import', `const a = await import('./a.ts');`, ['./a.ts']],
  ['a type import', `import type { A } from 'a';`, ['type a']],
  ['a type re-export', `export type { A } from 'a';`, ['type a']],
  ['a default import that is called type', `import type from 'a';`, ['a']],
  ['a type among values is an import of values', `import { type A } from 'a';`, ['a']],
  ['an import in a comment is none', `// import 'a';\n/* import 'b'; */`, []],
  ['an import in a string is none', `const a = "import 'b'";`, []],
  ['an import in a template is none', "const a = `import { b } from 'b';`;", []],
  ['a method called from is none', `Buffer.from('a');`, []],
];

for (const [what, source, found] of cases) {
  test(what, () => {
    const imports = findImports(source).map(each => `${each.typeOnly ? 'type ' : ''}${each.specifier}`);
    assert.deepEqual(imports, found);
  });
}
