import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@binnacle/api-objects';
import { runBinnaclectl } from '../../journeys/setup/run-binnaclectl.ts';
import { clusterCertificate } from '../drivers/certified-requests.ts';
import type { ConformanceServer, ConformanceTests } from '../drivers/conformance-server.ts';
import { withOtherSwitches } from '../drivers/variants.ts';

const version = 'client.authentication.cluster.io/v1';

/** A plugin: what it prints, and how it is configured. */
interface Plugin {
  readonly prints: unknown;
  /** Beside command, apiVersion and interactiveMode. */
  readonly exec?: JsonObject;
  /** Extensions of the cluster entry. */
  readonly extensions?: readonly JsonObject[];
}

/** How the command-line client ended, and what the plugin was told. */
interface Run {
  readonly code: number;
  readonly output: string;
  /** The ExecCredential of the last run of the plugin; undefined when it was not run. */
  readonly info: JsonObject | undefined;
  readonly arguments: string;
  readonly environment: string;
}

/** Runs the command-line client with a plugin in a folder of its own. */
async function runWith(server: ConformanceServer, plugin: Plugin): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-plugin-'));
  try {
    mkdirSync(join(folder, 'tools'));
    writeFileSync(join(folder, 'credential.json'), JSON.stringify(plugin.prints));
    const program = [
      '#!/bin/sh',
      `printf %s "$CLUSTER_EXEC_INFO" > "${folder}/info.json"`,
      `printf %s "$*" > "${folder}/arguments"`,
      `printf %s "$PLUGIN_SETTING" > "${folder}/environment"`,
      `cat "${folder}/credential.json"`,
    ];
    writeFileSync(join(folder, 'tools', 'plugin'), `${program.join('\n')}\n`, { mode: 0o755 });
    const configuration = join(folder, 'config');
    writeFileSync(configuration, JSON.stringify(createConfiguration(server, plugin)));
    const env = { ...process.env, KUBECONFIG: configuration };
    const { code, out, err } = await runBinnaclectl(['auth', 'whoami'], { env });
    const read = (name: string) => {
      const file = join(folder, name);
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };
    const info = read('info.json');
    return {
      ...{ code, output: out + err },
      info: info === '' ? undefined : JSON.parse(info),
      arguments: read('arguments'),
      environment: read('environment'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function createConfiguration(server: ConformanceServer, { exec = {}, extensions = [] }: Plugin) {
  const cluster = {
    server: server.gateways[0],
    'certificate-authority-data': Buffer.from(server.ca).toString('base64'),
    extensions,
  };
  const usual = { command: './tools/plugin', apiVersion: version, interactiveMode: 'Never' };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user: { exec: { ...usual, ...exec } } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
}

const credential = (status: JsonObject, apiVersion = version) => ({
  apiVersion,
  kind: 'ExecCredential',
  status,
});
const bob = credential({ token: 'bob-token' });

function assertIs(run: Run, username: string): void {
  assert.equal(run.code, 0, run.output);
  assert.match(run.output, new RegExp(`\\b${username}\\b`));
}

function assertFails(run: Run, says: RegExp): void {
  assert.notEqual(run.code, 0, run.output);
  assert.match(run.output, says);
  assert.doesNotMatch(run.output, /bob-token|\n\s+at /);
}

/** 2, "ExecCredential (client credential plugin)". */
export const credentialPluginTests: ConformanceTests = {
  async '2/ExecCredential/apiVersion both versions, and the answer is of the configured one'(under) {
    const server = await withOtherSwitches(under);
    assertIs(await runWith(server, { prints: bob }), 'bob');
    const beta = 'client.authentication.cluster.io/v1beta1';
    const prints = credential({ token: 'bob-token' }, beta);
    assertIs(await runWith(server, { prints, exec: { apiVersion: beta } }), 'bob');
    assertFails(await runWith(server, { prints }), /version/);
    const unknown = { apiVersion: `${version}alpha7` };
    assertFails(await runWith(server, { prints: bob, exec: unknown }), /apiVersion/);
  },

  async '2/ExecCredential/kind another kind is refused'(under) {
    const server = await withOtherSwitches(under);
    assertFails(await runWith(server, { prints: { ...bob, kind: 'Secret' } }), /ExecCredential/);
  },

  async '2/ExecCredential/spec.interactive it is false where there is no terminal'(under) {
    const server = await withOtherSwitches(under);
    const { info } = await runWith(server, { prints: bob, exec: { interactiveMode: 'IfAvailable' } });
    assert.deepEqual(info?.['spec'], { interactive: false });
  },

  async '2/ExecCredential/spec.cluster server, authority and config, when they are asked for'(under) {
    const server = await withOtherSwitches(under);
    const extension = { audience: 'a', list: [1] };
    const { info } = await runWith(server, {
      prints: bob,
      exec: { provideClusterInfo: true },
      extensions: [{ name: 'client.authentication.cluster.io/exec', extension }],
    });
    assert.deepEqual(info?.['spec'], {
      cluster: {
        server: server.gateways[0] ?? '',
        'certificate-authority-data': Buffer.from(server.ca).toString('base64'),
        config: extension,
      },
      interactive: false,
    });
  },

  async '2/ExecCredential/status.token it is the bearer token'(under) {
    const server = await withOtherSwitches(under);
    assertIs(await runWith(server, { prints: credential({ token: 'alice-token' }) }), 'alice');
  },

  async '2/ExecCredential/status.clientCertificateData with its key, not without'(under) {
    const server = await withOtherSwitches(under);
    const { cert, key } = await clusterCertificate(server, 'plugged');
    const whole = credential({ clientCertificateData: cert, clientKeyData: key });
    assertIs(await runWith(server, { prints: whole }), 'plugged');
    for (const half of [{ clientCertificateData: cert }, { clientKeyData: key }])
      assertFails(await runWith(server, { prints: credential(half) }), /clientKeyData/);
  },

  async '2/ExecCredential/status.expirationTimestamp a time that is none is refused'(under) {
    const server = await withOtherSwitches(under);
    const later = new Date(Date.now() + 60_000).toISOString();
    const good = credential({ token: 'bob-token', expirationTimestamp: later });
    assertIs(await runWith(server, { prints: good }), 'bob');
    const bad = credential({ token: 'bob-token', expirationTimestamp: 'tomorrow' });
    assertFails(await runWith(server, { prints: bad }), /expirationTimestamp/);
  },

  async '2/ExecCredential/command a relative path is taken from the folder of the file'(under) {
    const server = await withOtherSwitches(under);
    assertIs(await runWith(server, { prints: bob, exec: { command: 'tools/plugin' } }), 'bob');
    assertFails(await runWith(server, { prints: bob, exec: { command: '' } }), /command/);
  },

  async '2/ExecCredential/env and args the plugin gets them'(under) {
    const server = await withOtherSwitches(under);
    const exec = { args: ['--give', 'a token'], env: [{ name: 'PLUGIN_SETTING', value: 'blue' }] };
    const ended = await runWith(server, { prints: bob, exec });
    assertIs(ended, 'bob');
    assert.deepEqual([ended.arguments, ended.environment], ['--give a token', 'blue']);
  },

  async '2/ExecCredential/installHint it is shown when there is no such program'(under) {
    const server = await withOtherSwitches(under);
    const exec = { command: './tools/missing', installHint: 'get it from the harbour master' };
    assertFails(await runWith(server, { prints: bob, exec }), /get it from the harbour master/);
  },

  async '2/ExecCredential/interactiveMode required in v1, and Always needs a terminal'(under) {
    const server = await withOtherSwitches(under);
    assertFails(
      await runWith(server, { prints: bob, exec: { interactiveMode: 'Always' } }),
      /interactiveMode/,
    );
    assertFails(await runWith(server, { prints: bob, exec: { interactiveMode: '' } }), /interactiveMode/);
    const beta = 'client.authentication.cluster.io/v1beta1';
    const prints = credential({ token: 'bob-token' }, beta);
    assertIs(await runWith(server, { prints, exec: { apiVersion: beta, interactiveMode: '' } }), 'bob');
  },

  async '2/ExecCredential/a it is told in CLUSTER_EXEC_INFO, and its output is read'(under) {
    const { info } = await runWith(await withOtherSwitches(under), { prints: bob });
    assert.deepEqual(info, { kind: 'ExecCredential', apiVersion: version, spec: { interactive: false } });
  },

  async '2/Errors/plugin a plugin that is missing or may not ask is an error'(under) {
    const server = await withOtherSwitches(under);
    assertFails(await runWith(server, { prints: bob, exec: { command: './tools/missing' } }), /missing/);
    assertFails(
      await runWith(server, { prints: bob, exec: { interactiveMode: 'Always' } }),
      /interactiveMode/,
    );
  },
};
