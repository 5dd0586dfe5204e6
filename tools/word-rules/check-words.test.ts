import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checkWords } from './check-words.ts';
import { exceptions, refusedWords } from './words.ts';

function listViolations(file: string, content: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'binnacle-word-rules-'));
  try {
    mkdirSync(join(root, 'docs'));
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
    return checkWords(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const template = 'f(`$' + '{a} was tried again`);';

const refused: [what: string, file: string, line: string, word: string][] = [
  ['a part of a name', 'libs/a/a.ts', 'const isResting = true;', 'resting'],
  ['a private name', 'libs/a/a.ts', 'this.#sealedRecord();', 'sealed'],
  ['a word in a comment', 'libs/a/a.ts', '/** The upkeep of objects. */', 'upkeep'],
  ['a name in a comment', 'libs/a/a.ts', '// See `patienceMs`.', 'patience'],
  ['a word in a message', 'libs/a/a.ts', `throw new Error('the lane is full');`, 'lane'],
  ['a word in a template', 'libs/a/a.ts', template, 'tried again'],
  ['a word in the title of a test', 'libs/a/a.test.ts', `test('nobody is told', run);`, 'nobody'],
  ['a word in a document', 'docs/a.md', 'The publisher rests.', 'rests'],
  ['a word in a contract', 'proto/internal/a.proto', 'repeated string claimed_keys = 1;', 'claimed'],
  ['a word in a script', 'deploy/a.sh', '# Hurry up.', 'hurry'],
  ['a name that sentences may have', 'libs/a/a.ts', 'sendAgain();', 'again'],
];

for (const [what, file, line, word] of refused)
  test(`${what} is refused`, () => {
    const [violation, ...more] = listViolations(file, `\n${line}\n`);
    assert.ok(violation?.startsWith(`${file}:2: "${word}": write `), violation);
    assert.deepEqual(more, []);
  });

test('a word in the name of a file is refused', () => {
  const [violation] = listViolations('libs/sealing/rest-again.ts', '');
  assert.match(violation ?? '', /^libs\/sealing\/rest-again\.ts \(its name\): /);
});

const accepted: [what: string, file: string, content: string][] = [
  ['the plain word', 'libs/a/a.ts', 'throttle(reservation);'],
  ['part of a longer word', 'libs/a/a.ts', '// Restart the interest: no explanation.'],
  ['the rest of something', 'libs/a/a.ts', 'const [first, ...rest] = list; // The rest is empty.'],
  ['a string of one word, which is data', 'libs/a/a.ts', `const user = 'nobody';`],
  ['a word that sentences need', 'docs/a.md', 'The gateway lists again.'],
  ['claims of tokens', 'libs/a/a.ts', '// The claims of the token.'],
  ['claims of volumes', 'libs/a/a.ts', 'const claim: PersistentVolumeClaim = find();'],
  ['generated code', 'libs/a/generated/a.ts', 'const claim = 1;'],
  ...exceptions.map(({ text, reason }): [string, string, string] => [reason, 'docs/a.md', `See ${text}.`]),
];

for (const [what, file, content] of accepted)
  test(`accepted: ${what}`, () => {
    assert.deepEqual(listViolations(file, content), []);
  });

const vague: [what: string, content: string, lines: number[]][] = [
  ['a comment of one line', '/** What a thing is. */', [1]],
  ['a comment of many lines', '/**\n * What a thing is.\n * It is large.\n */', [1]],
  ['a comment beside code', 'a();\nb(); // What it does.', [2]],
  ['the second of two comments', 'a(); // First.\nb(); // What it does.', [2]],
  ['a sentence inside a comment', '/** A thing. What it does is large. */', []],
  ['the second line of a paragraph', '// A thing is\n// What it is.', []],
  ['text that only looks like a comment', "const text = '// What a thing is';", []],
  ['a longer word', '// Whatever it is.', []],
];

for (const [what, content, lines] of vague)
  test(`comments that begin with "What": ${what}`, () => {
    assert.deepEqual(
      listViolations('libs/a/a.ts', content),
      lines.map(
        line =>
          `libs/a/a.ts:${line}: a comment begins with "What": say what the thing is, does or guarantees`,
      ),
    );
  });

const titles: [what: string, content: string, word: string | undefined][] = [
  ['a title that continues another one', `test('so is a deletion', run);`, 'so'],
  ['a title in a template', 'describe(`what $' + '{name} does`, run);', 'what'],
  ['a title on the next line', `it(\n  'and ends',\n  run,\n);`, 'and'],
  ['a title with a subject', `test('a deletion is found again', run);`, undefined],
  ['a longer word', `test('item by item', run);`, undefined],
  ['a call of a method', `pattern.test('what it is');`, undefined],
];

for (const [what, content, word] of titles)
  test(`titles of tests: ${what}`, () => {
    assert.deepEqual(
      listViolations('libs/a/a.test.ts', content),
      word === undefined
        ? []
        : [`libs/a/a.test.ts:1: a title begins with "${word}": name the subject and what is guaranteed`],
    );
  });

test('each refused word names what to write', () => {
  for (const { pattern, instead } of refusedWords) assert.ok(instead.length > 0, String(pattern));
});
