import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorFrom } from './editor.ts';

const cases: [env: Record<string, string>, words: string[], isShellLine: boolean][] = [
  [{}, ['vi'], false],
  [{ EDITOR: 'nano' }, ['nano'], false],
  [{ EDITOR: 'nano', KUBE_EDITOR: 'code  --wait' }, ['code', '--wait'], false],
  [{ EDITOR: 'nano', KUBE_EDITOR: '' }, ['nano'], false],
  [{ EDITOR: "emacs -f 'x y'", SHELL: '/bin/zsh' }, ['/bin/zsh', '-c', "emacs -f 'x y'"], true],
  [{ EDITOR: '"my editor" -w' }, ['/bin/bash', '-c', '"my editor" -w'], true],
];
for (const [env, words, isShellLine] of cases)
  test(`${JSON.stringify(env)} selects the editor ${words.join(' ')}`, () =>
    assert.deepEqual(editorFrom(env), { words, isShellLine }));
