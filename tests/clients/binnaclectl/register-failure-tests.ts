import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Binnaclectl, bobsToken } from './start-binnaclectl.ts';

/** Registers the tests of what users read when something is wrong. */
export function registerFailureTests(binnaclectl: Binnaclectl): void {
  const { run } = binnaclectl;

  const failures: [what: string, args: string[], err: string | RegExp][] = [
    [
      'a name that does not exist',
      ['get', 'configmap', 'x'],
      'Error from server (NotFound): configmaps "x" not found\n',
    ],
    ['a type that does not exist', ['get', 'foo'], 'error: the server doesn\'t have a resource type "foo"\n'],
    [
      'a right that is missing',
      ['get', 'secrets', '--token', bobsToken, '-s', 'URL', '--kubeconfig', 'ANONYMOUS'],
      /^Error from server \(Forbidden\): secrets is forbidden: user "bob" cannot list resource "secrets" /i,
    ],
    [
      'credentials that are wrong',
      ['get', 'pods', '--token', 'wrong', '--kubeconfig', 'ANONYMOUS'],
      'error: You must be logged in to the server (Unauthorized)\n',
    ],
    [
      'a server that is not there',
      ['get', 'pods', '-s', 'https://127.0.0.1:1'],
      'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?\n',
    ],
    [
      'a server that is not trusted',
      ['get', 'pods', '-s', 'URL', '--kubeconfig', '/dev/null'],
      /^Unable to connect to the server: 127\.0\.0\.1:\d+: self-signed certificate in certificate chain\n$/,
    ],
    [
      'a flag that does not exist',
      ['get', '--foo'],
      /^error: unknown flag: --foo\nSee 'binnaclectl get --help'/,
    ],
    [
      'a flag that is misspelt',
      ['get', '--outptu=json', 'pods'],
      /^error: unknown flag: --outptu \(did you mean --output\?\)\nSee /,
    ],
    [
      'a command that does not exist',
      ['bakcup', 'a'],
      /^error: unknown command "bakcup" for "binnaclectl" \(did you mean backup\?\)\nSee /,
    ],
    [
      'a command that a family does not have',
      ['auth', 'whoma'],
      /^error: unknown command "auth whoma" for "binnaclectl" \(did you mean auth whoami\?\)\nSee /,
    ],
    [
      'a format that does not exist',
      ['get', 'pods', '-o', 'jsonpth={.a}'],
      /^error: unable to match a printer suitable for the output format "jsonpth=\{\.a\}", allowed formats are: custom-columns,/,
    ],
    [
      'a template that cannot be read, before any request',
      ['get', 'pods', '-s', 'https://127.0.0.1:1', '-o', 'jsonpath={.a'],
      'error: error parsing jsonpath {.a, unclosed action\n',
    ],
    [
      'a template that does not fit an object',
      ['get', 'cm', 'settings', '-n', 'tour', '-o', 'jsonpath={.data[0]}'],
      'error: error executing jsonpath "{.data[0]}": Error executing template: map[string]interface {} is not array or slice\n',
    ],
    ['a file that does not exist', ['apply', '-f', '/none'], 'error: the path "/none" does not exist\n'],
    [
      'deletion without a name',
      ['delete', 'pods'],
      /^error: resource\(s\) were provided, but no name was specified\n/,
    ],
    [
      'a selector with a name',
      ['get', 'pods', 'a', '-l', 'a=b'],
      /^error: name cannot be provided when a selector/,
    ],
  ];
  for (const [what, args, err] of failures) {
    test(`${what} exits with code 1 and one message`, async () => {
      const anonymous = join(binnaclectl.folder, 'anonymous.conf');
      const { pki, url } = binnaclectl.server;
      await writeFile(
        anonymous,
        `current-context: c\ncontexts: [{name: c, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: "${url}", certificate-authority: ${pki.caFile}}}]\n`,
      );
      const known: Record<string, string> = { URL: url, ANONYMOUS: anonymous };
      const ended = await run(args.map(arg => known[arg] ?? arg));
      assert.equal(ended.code, 1);
      assert.equal(ended.out, '');
      if (typeof err === 'string') assert.equal(ended.err, err);
      else assert.match(ended.err, err);
      assert.doesNotMatch(ended.err, /^ +at /m);
    });
  }
}
