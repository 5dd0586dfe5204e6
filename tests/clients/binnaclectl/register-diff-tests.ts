import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Binnaclectl, configMap } from './start-binnaclectl.ts';

/** Registers the tests of `diff`. */
export function registerDiffTests(binnaclectl: Binnaclectl): void {
  const { start, run, succeed } = binnaclectl;

  test('diff shows what apply would change, and changes nothing', async () => {
    await succeed(['apply', '-f', '-'], configMap('d', '{colour: blue, size: large}'));
    const before = await succeed(['get', 'cm/d', '-n', 'tour', '-o', 'yaml']);
    const documents = [configMap('d', '{colour: red}'), configMap('d-new', '{a: b}')].join('---\n');
    const { code, out, err } = await run(['diff', '-f', '-'], documents);
    assert.deepEqual({ code, err }, { code: 1, err: '' });
    assert.match(
      out,
      /^diff -u -N \S+\/LIVE-\w+\/v1\.ConfigMap\.tour\.d \S+\/MERGED-\w+\/v1\.ConfigMap\.tour\.d$/m,
    );
    assert.match(out, /^ data:\n- {2}colour: blue\n- {2}size: large\n\+ {2}colour: red\n kind/m);
    assert.match(out, /^\+kind: ConfigMap\n/m);
    assert.doesNotMatch(out, /managedFields/);
    assert.equal(await succeed(['get', 'cm/d', '-n', 'tour', '-o', 'yaml']), before);
    assert.equal((await run(['get', 'cm/d-new', '-n', 'tour'])).code, 1);
    const shown = await run(['diff', '-f', '-', '--show-managed-fields'], documents);
    assert.match(shown.out, /^\+ {2}managedFields:\n/m);
  });

  test('diff without differences exits with code 0', async () => {
    const tour = join(binnaclectl.folder, 'tour.yaml');
    await succeed(['apply', '-f', tour]);
    assert.deepEqual(await run(['diff', '-f', tour]), { code: 0, out: '', err: '' });
  });

  test('diff hides the values of secrets', async () => {
    const secret = (data: string) =>
      `apiVersion: v1\nkind: Secret\nmetadata: {name: d, namespace: tour}\nstringData: ${data}\n`;
    await succeed(['apply', '-f', '-'], secret('{word: abracadabra, other: same}'));
    const { code, out } = await run(['diff', '-f', '-'], secret('{word: open-sesame, other: same, more: x}'));
    assert.equal(code, 1);
    assert.match(
      out,
      /^\+ {2}more: "\*\*\*"\n {3}other: "\*\*\*"\n- {2}word: "\*\*\* \(before\)"\n\+ {2}word: "\*\*\* \(after\)"$/m,
    );
    for (const word of ['abracadabra', 'open-sesame'])
      assert.ok(!out.includes(word) && !out.includes(Buffer.from(word).toString('base64')));
  });

  test('KUBECTL_EXTERNAL_DIFF names the program that compares, and its exit code is used', async () => {
    const tour = join(binnaclectl.folder, 'tour.yaml');
    const compare = (program: string) =>
      start(['diff', '-f', tour], { variables: { KUBECTL_EXTERNAL_DIFF: program } }).ended;
    const listed = await compare('ls -1 $HOME');
    assert.equal(listed.code, 0);
    assert.match(
      listed.out,
      /LIVE-\w+:\napps\.v1\.Deployment\.tour\.shop\nv1\.ConfigMap\.tour\.settings\nv1\.Namespace\.\.tour\n/,
    );
    assert.equal(listed.err, 'Warning: KUBECTL_EXTERNAL_DIFF: ignored, not plain options: $HOME\n');
    assert.deepEqual(await compare('false'), { code: 1, out: '', err: '' });
    assert.deepEqual(await compare('nonesuch'), {
      code: 2,
      out: '',
      err: 'error: failed to run "nonesuch": executable file not found in $PATH\n',
    });
  });

  const failures: [what: string, args: string[], err: RegExp, input?: string][] = [
    ['an unknown flag', ['-f', '-', '--foo'], /^error: unknown flag: --foo\n/],
    ['no file', [], /^error: must specify one of -f and -k/],
    ['a word', ['-f', '-', 'x'], /^error: unexpected arguments: x\n/],
    ['--prune', ['-f', '-', '--prune'], /^error: --prune is not supported/],
    ['client-side apply', ['-f', '-', '--server-side=false'], /^error: --server-side=false is not supported/],
    ['a file that does not exist', ['-f', '/none'], /^error: the path "\/none" does not exist\n/],
    [
      'fields of another manager',
      ['-f', '-', '--field-manager=painter'],
      /^error: Apply failed with 1 conflict: conflict with "binnaclectl": \.data\.colour\n/,
      configMap('settings', '{colour: red}'),
    ],
    ['an unknown field', ['-f', '-'], /unknown field "tada"/, `${configMap('settings', '{}')}tada: {}\n`],
  ];
  for (const [what, args, err, input] of failures)
    test(`diff with ${what} exits with code 2`, async () => {
      const ended = await run(['diff', ...args], input);
      assert.deepEqual([ended.code, ended.out], [2, '']);
      assert.match(ended.err, err);
    });
}
