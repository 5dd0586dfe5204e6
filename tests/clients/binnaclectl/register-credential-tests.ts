import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadClientConfiguration } from '@binnacle/client';
import { type Binnaclectl, bobsToken } from './start-binnaclectl.ts';

const apiVersion = 'client.authentication.cluster.io/v1';

/** Registers the tests of the kinds of credentials. */
export function registerCredentialTests(binnaclectl: Binnaclectl): void {
  const { start, run, succeed } = binnaclectl;

  /** Writes a configuration whose user is given as YAML of one line. */
  async function writeConfiguration(user: string): Promise<string> {
    const { pki, url } = binnaclectl.server;
    const path = join(binnaclectl.folder, 'credentials.conf');
    const cluster = `{server: "${url}", certificate-authority: ${pki.caFile}}`;
    await writeFile(
      path,
      `{current-context: c, contexts: [{name: c, context: {cluster: k, user: u}}], clusters: [{name: k, cluster: ${cluster}}], users: [{name: u, user: ${user}}]}`,
    );
    return path;
  }

  /** A configuration whose plugin greets, and prints one status after another, the last one again and again. */
  async function createPlugin(name: string, statuses: readonly object[], interactiveMode = 'Never') {
    const path = join(binnaclectl.folder, name);
    for (const [index, status] of statuses.entries())
      await writeFile(`${path}.${index + 1}`, JSON.stringify({ apiVersion, kind: 'ExecCredential', status }));
    const script = `#!/bin/sh
echo hello from the plugin >&2
echo "$CLUSTER_EXEC_INFO" >> ${path}.runs
n=$(wc -l < ${path}.runs); [ "$n" -gt ${statuses.length} ] && n=${statuses.length}
cat "${path}.$n"
`;
    await writeFile(path, script, { mode: 0o755 });
    const exec = `{apiVersion: ${apiVersion}, command: ./${name}, interactiveMode: ${interactiveMode}}`;
    const configuration = await writeConfiguration(`{exec: ${exec}}`);
    const runs = async () =>
      (await readFile(`${path}.runs`, 'utf8').catch(() => '')).split('\n').slice(0, -1);
    return { configuration, runs };
  }

  test('a token that the server refuses is renewed by the plugin, and -v shows neither token', async () => {
    const { configuration, runs } = await createPlugin('renewing', [
      { token: 'stale' },
      { token: bobsToken },
    ]);
    // A plugin writes its notices where the program does.
    const whoami = await start(['auth', 'whoami', '-v=8', '--kubeconfig', configuration]).ended;
    assert.equal(whoami.code, 0, whoami.err);
    assert.match(whoami.out, /Username +bob\n/);
    assert.match(
      whoami.err,
      /^hello from the plugin\nGET .*\/apis 401 [\s\S]*hello from the plugin\nGET .*\/apis 200 [\s\S]*POST .* 201 /,
    );
    assert.doesNotMatch(whoami.err, new RegExp(`stale|${bobsToken}|ExecCredential|authorization:`, 'i'));
    assert.equal((await runs()).length, 2);
  });

  test('a certificate of a plugin is requested once for all gateways', async () => {
    const { clientCertificate, clientKey } = loadClientConfiguration(binnaclectl.server.adminConfiguration);
    const status = { clientCertificateData: `${clientCertificate}`, clientKeyData: `${clientKey}` };
    const { configuration, runs } = await createPlugin('certifying', [status]);
    const { url } = binnaclectl.server;
    const gateways = `${url},${url.replace('127.0.0.1', 'localhost')}`;
    const table = await succeed(['top', 'fanout', '--gateways', gateways, '--kubeconfig', configuration]);
    assert.match(table, /^127\.0\.0\.1:\d+ .*\nlocalhost:\d+ /m);
    assert.equal((await runs()).length, 1);
  });

  test('an interactive plugin does not run without a terminal', async () => {
    const { configuration, runs } = await createPlugin('asking', [{ token: bobsToken }], 'Always');
    const { code, err } = await run(['get', 'ns', '--kubeconfig', configuration]);
    assert.equal(code, 1);
    assert.match(
      err,
      /^error: .*user "u": exec: interactiveMode is Always, and standard input is not a terminal\n$/,
    );
    assert.deepEqual(await runs(), []);
  });

  test('--token replaces the plugin, the password and the token file of the user', async () => {
    for (const user of ['{username: a, password: b}', '{tokenFile: none}', '{exec: {command: none}}']) {
      const configuration = await writeConfiguration(user);
      const whoami = await succeed(['auth', 'whoami', '--token', bobsToken, '--kubeconfig', configuration]);
      assert.match(whoami, /Username +bob\n/);
    }
  });

  test('a token file is read relative to the configuration', async () => {
    await writeFile(join(binnaclectl.folder, 'bobs'), `${bobsToken}\n`);
    const configuration = await writeConfiguration('{tokenFile: bobs}');
    assert.match(await succeed(['auth', 'whoami', '--kubeconfig', configuration]), /Username +bob\n/);
  });
}
