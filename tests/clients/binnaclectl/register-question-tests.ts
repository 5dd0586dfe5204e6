import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { vocabularies } from '@binnacle/api-names';
import { apiNamesVariable } from '@binnacle/api-names/testing';
import { until } from '../../journeys/api-server.ts';
import { type Binnaclectl, bobsToken, program } from './start-binnaclectl.ts';

/** Registers the tests of the commands that ask about users, types, gateways, versions, contexts and the program itself. */
export function registerQuestionTests(binnaclectl: Binnaclectl): void {
  const { start, run, succeed, interrupt } = binnaclectl;

  test('auth can-i answers yes, or no with exit code 1', async () => {
    assert.equal(await succeed(['auth', 'can-i', 'create', 'pods', '-n', 'tour']), 'yes\n');
    assert.equal(await succeed(['auth', 'can-i', 'get', '/metrics']), 'yes\n');
    const no = await run([
      'auth',
      'can-i',
      'update',
      'deployments.apps/shop',
      '--subresource=scale',
      '--as',
      'bob',
    ]);
    assert.deepEqual(no, { code: 1, out: 'no\n', err: '' });
    const unknown = await run(['auth', 'can-i', 'get', 'foos.example.com', '--as=bob', '-q']);
    assert.deepEqual(unknown, {
      code: 1,
      out: '',
      err: "Warning: the server doesn't have a resource type 'foos.example.com'\n",
    });
    const rights = await succeed(['auth', 'can-i', '--list', '--as', 'bob']);
    assert.match(rights, /^Resources +Non-Resource URLs +Resource Names +Verbs\n/);
    assert.match(rights, /^selfsubjectaccessreviews\.authorization\.cluster\.io +\[\] +\[\] +\[create\]$/m);
  });

  test('auth whoami shows the user, or that the server cannot tell', async () => {
    assert.match(
      await succeed(['auth', 'whoami']),
      /^ATTRIBUTE +VALUE\nUsername +.*admin\n.*system:masters/s,
    );
    const acting = ['auth', 'whoami', '--as', 'alice', '--as-group', 'x,y', '--as-uid', 'u-1'];
    const shown = await succeed(acting);
    assert.match(shown, /Username +alice\nUID +u-1\nGroups +\[x y system:authenticated\]/);
    assert.match(await succeed([...acting, '-o', 'yaml']), /userInfo:\n {4}groups:\n {4}- x/);
    const without = await run(['auth', 'whoami', '-s', `${binnaclectl.server.url}/nowhere`]);
    assert.equal(without.code, 1);
    assert.match(without.err, /^error: the server does not serve selfsubjectreviews/);
  });

  for (const word of vocabularies)
    test(`the names of the server are used, whether those of the environment are ${word} or not`, async () => {
      const variables = { [apiNamesVariable]: word };
      const cases: [args: string[], out: RegExp][] = [
        [['auth', 'can-i', 'create', 'pods'], /^yes\n$/],
        [['auth', 'can-i', '--list'], /^selfsubjectaccessreviews\.authorization\.cluster\.io +/m],
        [['auth', 'whoami'], /^Groups +\[system:masters/m],
        [['get', 'configmaps', '-n', 'tour'], /^NAME +DATA +AGE\n/],
        [['get', 'configmap', 'settings', '-n', 'tour', '-o', 'name'], /^configmap\/settings\n$/],
        [['get', 'leases', '-A', '-o', 'name'], /^lease\.coordination\.cluster\.io\//m],
      ];
      for (const [args, out] of cases) {
        const ended = await start(args, { variables }).ended;
        assert.deepEqual([ended.code, ended.err], [0, ''], args.join(' '));
        assert.match(ended.out, out);
      }
    });

  test('api-resources lists types by scope, group and verbs', async () => {
    assert.match(
      await succeed(['api-resources', '--api-group=apps']),
      /^NAME +SHORTNAMES +APIVERSION +NAMESPACED +KIND\n[\s\S]*^deployments +deploy +apps\/v1 +true +Deployment$/m,
    );
    assert.match(
      await succeed(['api-resources', '--api-group=', '--namespaced=false', '-o', 'wide']),
      /^namespaces +ns +v1 +false +Namespace +create,delete,get/m,
    );
    const names = await succeed(['api-resources', '-o', 'name', '--verbs=list,watch', '--namespaced']);
    assert.match(names, /^deployments\.apps$/m);
    assert.doesNotMatch(names, /^(namespaces|bindings|.*reviews.*)$/m);
  });

  test('top fanout shows the watches of gateways repeatedly', async () => {
    const host = new URL(binnaclectl.server.url).host;
    const table = await succeed(['top', 'fanout']);
    assert.match(table, /^GATEWAY +WATCHERS +GROUPS +EVENTS +DELIVERED +LAG +PUBLISHED +RECEIVED +WRITTEN\n/);
    assert.match(
      table,
      new RegExp(`^${host} +[1-9]\\d* +[1-9]\\d* +[1-9]\\d* +[1-9]\\d* +\\S+s +\\S+s/\\S+s`, 'm'),
    );
    const document: unknown = JSON.parse(await succeed(['top', 'fanout', '-o', 'json']));
    assert.match(JSON.stringify(document), new RegExp(`"gateway":"${host}","watchers":[1-9]`));
    const some = await run([
      'top',
      'fanout',
      '--gateways',
      `${binnaclectl.server.url},https://127.0.0.1:1`,
      '--no-headers',
      '-o',
      'wide',
    ]);
    assert.equal(some.code, 1);
    assert.match(some.out, new RegExp(`^${host} .* \\d+\\n$`));
    assert.match(some.err, /^127\.0\.0\.1:1: The connection to the server 127\.0\.0\.1:1 was refused/);
    const repeating = start(['top', 'fanout', '-w', '--interval=100ms', '--no-headers']);
    await until('there are readings', () => repeating.out().split('\n').length > 3);
    assert.equal((await interrupt(repeating)).code, 130);
  });

  test('verify-history finds violations in the answers of a server', async () => {
    const header = '{"format":"binnacle-history","formatVersion":1}';
    const place = { resource: 'configmaps', namespace: 'a', name: 'x' };
    const write = {
      kind: 'write',
      client: 'c',
      start: 1,
      end: 2,
      verb: 'create',
      ...place,
      value: 'v',
      outcome: 'ok',
      version: '5',
    };
    const read = { kind: 'read', client: 'r', start: 3, end: 4, ...place };
    const check = async (...records: readonly object[]) => {
      const lines = [header, ...records.map(record => JSON.stringify(record))];
      const file = join(binnaclectl.folder, 'history.jsonl');
      await writeFile(file, lines.join('\n'));
      return run(['verify-history', file]);
    };
    const good = await check(write, { ...read, found: { version: '5', value: 'v' } });
    assert.deepEqual([good.code, good.err], [0, '']);
    assert.match(
      good.out,
      /1 acknowledged, 0 refused, 0 of unknown outcome; 1 reads[\s\S]*\nno violation\n$/,
    );
    const bad = await check(write, read);
    assert.deepEqual([bad.code, bad.err], [1, '']);
    assert.match(
      bad.out,
      /^reads: configmaps\/a\/x was not found although it was there, at version 5\n {2}\{"kind":"write"/m,
    );
    assert.match(bad.out, /\n1 violations\n$/);
    const broken = await check({ kind: 'other' });
    assert.match(broken.err, /^error: \/.*\/history\.jsonl: line 2: kind must be one of write, read/);
    assert.match((await run(['verify-history', '/none.jsonl'])).err, /^error: \/none\.jsonl: ENOENT/);
    assert.match((await run(['verify-history'])).err, /^error: exactly one file must be given/);
  });

  test('version shows the versions of client and server', async () => {
    assert.match(await succeed(['--version']), /^binnaclectl \d+\.\d+\.\d+ \(API 1\.26.*\)\n$/);
    assert.match(await succeed(['version']), /^Client Version: \d.*\nServer Version: v1\.26/);
    assert.match(
      await succeed(['version', '--client', '-s', 'https://127.0.0.1:1']),
      /^Client Version: [^\n]*\n$/,
    );
    assert.match(await succeed(['version', '-o', 'json']), /"serverVersion": \{[\s\S]*"gitVersion": "v1\.26/);
    const away = await run(['version', '-s', 'https://127.0.0.1:1']);
    assert.deepEqual([away.code, away.err.split('\n').length], [1, 2]);
    assert.match(away.out, /^Client Version: [^\n]*\n$/, 'the server is away');
  });

  test('config shows and changes contexts, and masks secrets', async () => {
    const path = join(binnaclectl.folder, 'two.conf');
    const admin = await readFile(binnaclectl.server.adminConfiguration, 'utf8');
    await writeFile(
      path,
      admin.replace(
        'contexts:\n',
        'contexts:\n  - {name: other, context: {cluster: binnacle, user: admin, namespace: tour}}\n',
      ),
    );
    const config = (...args: string[]) => succeed(['config', ...args, '--kubeconfig', path]);
    assert.equal(await config('current-context'), 'binnacle\n');
    assert.equal(await config('use-context', 'other'), 'Switched to context "other".\n');
    assert.equal(await config('current-context'), 'other\n');
    assert.match(
      await config('get-contexts'),
      /^CURRENT +NAME +CLUSTER +AUTHINFO +NAMESPACE\n +binnacle +binnacle +admin +\n\* +other +binnacle +admin +tour\n$/,
    );
    assert.equal(await config('get-contexts', 'other', '-o', 'name'), 'other\n');
    assert.match(await succeed(['get', 'cm', '--kubeconfig', path, '-o', 'name']), /^configmap\/settings$/m);
    const shown = await config('view');
    assert.match(shown, /certificate-authority-data: DATA\+OMITTED[\s\S]*client-key-data: REDACTED/);
    assert.match(await config('view', '--raw', '--minify', '-o', 'json'), /"client-key-data": "LS0t/);
    const wrong = await run(['config', 'use-context', 'none', '--kubeconfig', path]);
    assert.equal(wrong.err, 'error: no context exists with the name: "none"\n');
  });

  test('every command has a help text, and -v shows requests without credentials', async () => {
    assert.match(await succeed([]), /Commands:\n {2}get /);
    assert.match(await succeed(['help', 'delete']), /--cascade=background\|foreground\|orphan/);
    assert.match(await succeed(['auth', 'can-i', '-h']), /Usage:\n {2}binnaclectl auth can-i/);
    assert.match(await succeed(['help', 'auth']), /auth whoami/);
    const loud = await run(['get', 'ns', '-v=8', '--token', bobsToken]);
    assert.match(
      loud.err,
      /^GET https:.*\/api 200 in \d+ milliseconds\nRequest Headers:\n {4}user-agent: binnaclectl\//,
    );
    assert.doesNotMatch(loud.err, new RegExp(`${bobsToken}|authorization:|Bearer`, 'i'));
  });

  test('the program runs through a symbolic link, relative or not, from any folder', async () => {
    const direct = join(binnaclectl.folder, 'ctl');
    await symlink(program, direct);
    await symlink('./ctl', join(binnaclectl.folder, 'again'));
    for (const path of [direct, './again']) {
      const { code, out } = await start(['version', '--client'], { path }).ended;
      assert.equal(code, 0);
      assert.match(out, /^Client Version/);
    }
    const failed = await start(['got']).ended;
    assert.deepEqual([failed.code, failed.out], [1, '']);
    assert.match(failed.err, /^error: unknown command "got" for "binnaclectl" \(did you mean get\?\)\n/);
  });
}
