import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadClientConfiguration } from '@binnacle/client';
import { parseExecCredential } from '@binnacle/client/testing';
import {
  ClientFrames,
  decodeContinueToken,
  encodeContinueToken,
  parseAccept,
  parseRequestTarget,
} from '@binnacle/gateway/testing';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { type FuzzTarget, isNamedError } from './fuzz-target.ts';

const prefix = storageKeyFrom('/core/pods/default/');
const key = storageKeyFrom('/core/pods/default/a');

/** Tokens of the next part of a list. */
export const continueTokens: FuzzTarget = {
  name: 'continue-tokens',
  pace: 5,
  seeds: [
    encodeContinueToken({ revision: 5, startAfter: key }, prefix),
    encodeContinueToken({ revision: undefined, startAfter: key }, prefix),
  ],
  words: [
    'eyJ2Ijoi',
    'bWV0YS5jbHVzdGVyLmlvL3Yx',
    'IiwicnYiOj',
    'UsInN0YXJ0Ijoi',
    'YVx1MDAwMCJ9',
    '=',
    '-',
    '_',
    'A',
  ],
  run: input => {
    const text = input.toString('latin1');
    encodeContinueToken(decodeContinueToken(text, prefix), prefix);
  },
};

/** The content of such tokens, without its encoding. */
export const continueTokenTexts: FuzzTarget = {
  name: 'continue-token-texts',
  pace: 5,
  seeds: [
    '{"v":"meta.cluster.io/v1","rv":5,"start":"a\\u0000"}',
    '{"v":"meta.k8s.io/v1","rv":-1,"start":"a/b"}',
  ],
  words: [
    '{',
    '}',
    '"v":',
    '"rv":',
    '"start":',
    '"',
    ',',
    '/',
    '..',
    '.',
    '\\u0000',
    'a',
    '1e99',
    'null',
    '[',
    '-1',
    '0',
  ],
  run: input => {
    encodeContinueToken(decodeContinueToken(input.toString('base64url'), prefix), prefix);
  },
};

/** `Accept` headers. */
export const acceptHeaders: FuzzTarget = {
  name: 'accept-headers',
  pace: 5,
  seeds: [
    'application/json;as=Table;v=v1;g=meta.cluster.io, application/vnd.cluster.protobuf;q=0.9,*/*;q=0.1',
    '',
  ],
  words: [
    'application/json',
    'application/yaml',
    '*/*',
    ';',
    ',',
    'q=',
    '0.5',
    'as=Table',
    'v=v1',
    'g=meta.k8s.io',
    '=',
    ' ',
    '"',
    'stream=watch',
  ],
  run: input => {
    parseAccept(input.toString('latin1'));
  },
};

/** Paths and queries of requests. */
export const requestTargets: FuzzTarget = {
  name: 'request-targets',
  pace: 5,
  seeds: [
    '/api/v1/namespaces/default/pods/a/status?watch=true&fieldSelector=metadata.name%3Da',
    '/apis/apps/v1/watch/deployments',
    '/apis/apps.k8s.io/v1/namespaces/a%2Fb',
  ],
  words: [
    '/',
    '/api',
    '/apis',
    '/v1',
    '/watch',
    '/namespaces',
    '/pods',
    '%2e',
    '%2F',
    '%',
    '%ff',
    '..',
    '?',
    '&',
    'watch=1',
    'fieldSelector=',
    '\0',
    '//',
  ],
  run: input => {
    const [path = '', query = ''] = input.toString('latin1').split('?', 2);
    parseRequestTarget({ method: 'GET', path, query: new URLSearchParams(query) }, group => group);
  },
};

/** Frames that a client of a watch sends over a WebSocket, in one piece and byte by byte. */
export const webSocketFrames: FuzzTarget = {
  name: 'web-socket-frames',
  pace: 5,
  seeds: [
    Buffer.from('89840102030461626364', 'hex'),
    Buffer.from('888201020304020a', 'hex'),
    Buffer.from('81fe0100000000006161', 'hex'),
    Buffer.from('82ff000000000000100001020304', 'hex'),
  ],
  words: [
    '\x89\x80',
    '\x88\x82',
    '\x81\xfe',
    '\x82\xff',
    '\x00\x00\x00\x00',
    '\x01\x00',
    '\x7f',
    '\x8a\x80',
    '\xc1',
    '\x03\xe8',
  ],
  run(input) {
    const whole = formatFrames([input]);
    const pieces = formatFrames(
      Array.from({ length: Math.min(input.length, 4096) }, (_, i) => input.subarray(i, i + 1)),
    );
    if (input.length <= 4096 && whole !== pieces)
      throw new TypeError(`${whole} in one piece, ${pieces} byte by byte`);
  },
};

function formatFrames(pieces: readonly Buffer[]): string {
  const told: string[] = [];
  const frames = new ClientFrames({
    ping: payload => told.push(`ping ${payload.toString('hex')}`),
    close: code => told.push(`close ${code}`),
    fail: code => told.push(`fail ${code}`),
  });
  for (const piece of pieces) frames.take(piece);
  return told.join();
}

let file: string | undefined;

/** Files of client configuration. */
export const clientConfigurations: FuzzTarget = {
  name: 'client-configurations',
  seeds: [
    'current-context: a\ncontexts: [{name: a, context: {cluster: b, user: c}}]\nclusters: [{name: b, cluster: {server: "https://h", certificate-authority-data: QQ==}}]\nusers: [{name: c, user: {token: t}}]\n',
    '{"current-context":"a","contexts":[{"name":"a","context":{"cluster":"b","user":"c"}}],"clusters":[{"name":"b","cluster":{"server":"https://h"}}],"users":[{"name":"c","user":{"tokenFile":"none"}}]}',
    'current-context: a\ncontexts: [{name: a, context: {cluster: b, user: c, namespace: n}}]\nclusters: [{name: b, cluster: {server: "https://h", extensions: [{name: client.authentication.cluster.io/exec, extension: {a: 1}}]}}]\nusers: [{name: c, user: {exec: {apiVersion: client.authentication.cluster.io/v1, command: ./x, args: [a], env: [{name: a, value: b}], interactiveMode: Never, provideClusterInfo: true}}}]\n',
  ],
  words: [
    'a: ',
    '- ',
    '\n',
    '  ',
    '{',
    '}',
    '[',
    ']',
    '? ',
    ': ',
    '&a ',
    '*a',
    '!!str ',
    'contexts:',
    'name: a',
    'null',
    '|\n',
    'user: ',
    'exec: ',
    'env: ',
    'extensions: ',
    'token: ',
    '{? [',
  ],
  isRefusal: isNamedError,
  run(input) {
    file ??= join(mkdtempSync(join(tmpdir(), 'binnacle-fuzz-')), 'configuration');
    writeFileSync(file, input);
    loadClientConfiguration(file);
  },
};

const plugin = {
  command: 'x',
  args: [],
  env: {},
  apiVersion: 'client.authentication.cluster.io/v1',
  interactiveMode: 'Never',
  installHint: undefined,
  cluster: undefined,
  where: '',
} as const;

/** The output of credential plugins. */
export const execCredentials: FuzzTarget = {
  name: 'exec-credentials',
  pace: 5,
  seeds: [
    '{"apiVersion":"client.authentication.cluster.io/v1","kind":"ExecCredential","status":{"token":"t","expirationTimestamp":"2030-01-02T03:04:05Z"}}',
    'apiVersion: client.authentication.cluster.io/v1\nkind: ExecCredential\nstatus: {clientCertificateData: a, clientKeyData: b}\n',
  ],
  words: [
    'status',
    'token',
    'clientKeyData',
    'clientCertificateData',
    '-----BEGIN CERTIFICATE-----\\n',
    'null',
    '{',
    '}',
    ': ',
    '+23:59',
    '\\u0000',
  ],
  isRefusal: isNamedError,
  run(input) {
    parseExecCredential(input, plugin);
  },
};
