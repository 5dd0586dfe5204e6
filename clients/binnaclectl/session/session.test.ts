import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { globalFlags } from '../arguments/global-flags.ts';
import { parseArguments } from '../arguments/parse-arguments.ts';
import { openSession } from './session.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnaclectl-session-'));
after(() => rmSync(folder, { recursive: true }));

const configuration = join(folder, 'config');
writeFileSync(
  configuration,
  `current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://h"}}]
users:
- name: u
  user: {exec: {apiVersion: client.authentication.cluster.io/v1, command: none, interactiveMode: Always}}
`,
);

function open(inputIsInteractive: boolean, inputIsTaken: boolean) {
  const { flags } = parseArguments(globalFlags, ['--kubeconfig', configuration]);
  const terminal = {
    version: '1',
    out: async () => {},
    err: () => {},
    input: Readable.from([]),
    inputIsInteractive,
    env: {},
    signal: new AbortController().signal,
    now: () => 0,
    time: () => 0,
    random: () => 0,
    runProgram: async () => 0,
  };
  return openSession(flags, terminal, { inputIsTaken });
}

const refusal = /interactiveMode is Always, and standard input is not a terminal$/;

test('a credential plugin may use the terminal only where the command does not read it', () => {
  using session = open(true, false);
  assert.equal(session.client.server.href, 'https://h/');
  assert.throws(() => open(true, true), refusal);
  assert.throws(() => open(false, false), refusal);
});
