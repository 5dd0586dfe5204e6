import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseFlags } from '@binnacle/flags';
import { createPki } from '@binnacle/tls';
import { gatewayFlags } from '../settings/gateway-flags.ts';
import { clientAuthoritiesFromFlags, servingTlsFromFlags } from './certificates-from-flags.ts';

const directory = await mkdtemp(join(tmpdir(), 'binnacle-authorities-'));
after(() => rm(directory, { recursive: true }));
const { caFile, serverDirectory, serviceAccountKeyFile } = await createPki(directory);
const emptyFile = join(directory, 'empty.pem');
await writeFile(emptyFile, '# none\n');
const brokenFile = join(directory, 'broken.pem');
await writeFile(brokenFile, '-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n');

const parseArguments = (argv: readonly string[]) => parseFlags(gatewayFlags, argv, {});

const refused: readonly (readonly [argv: string[], message: RegExp])[] = [
  [
    ['--requestheader-username-headers=X-User'],
    /^--requestheader-username-headers needs --requestheader-client-ca-file/,
  ],
  [
    ['--requestheader-group-headers=X-G'],
    /^--requestheader-group-headers needs --requestheader-client-ca-file/,
  ],
  [
    ['--requestheader-extra-headers-prefix=X-E-'],
    /^--requestheader-extra-headers-prefix needs --requestheader-client-ca-file/,
  ],
  [
    ['--requestheader-allowed-names=front'],
    /^--requestheader-allowed-names needs --requestheader-client-ca-file/,
  ],
  [
    [`--requestheader-client-ca-file=${caFile}`],
    /^--requestheader-client-ca-file needs --requestheader-username-headers/,
  ],
  [
    [`--requestheader-client-ca-file=${caFile}`, '--requestheader-group-headers=X-G'],
    /needs --requestheader-username-headers/,
  ],
  [
    [`--requestheader-client-ca-file=${caFile}`, '--requestheader-username-headers=X User'],
    /^--requestheader-username-headers: X User cannot be the name of a header/,
  ],
  [
    [`--requestheader-client-ca-file=${emptyFile}`, '--requestheader-username-headers=X-User'],
    /^--requestheader-client-ca-file: .*empty.pem has no certificate/,
  ],
  [[`--client-ca-file=${emptyFile}`], /^--client-ca-file: .*empty.pem has no certificate/],
  [
    [`--client-ca-file=${brokenFile}`],
    /^--client-ca-file: .*broken.pem has a certificate that cannot be read/,
  ],
  [[`--client-ca-file=${directory}/none.pem`], /none.pem/],
];
for (const [argv, message] of refused)
  test(`${argv.map(text => text.replaceAll(directory, '')).join(' ')} is refused`, async () => {
    await assert.rejects(clientAuthoritiesFromFlags(parseArguments(argv)), { message });
  });

test('client authorities are ignored without TLS', async () => {
  for (const argv of [
    [`--client-ca-file=${caFile}`],
    [`--requestheader-client-ca-file=${caFile}`, '--requestheader-username-headers=X-User'],
  ])
    await assert.rejects(servingTlsFromFlags(parseArguments(['--tls=false', ...argv])), {
      message: /(--client-ca-file|--requestheader-client-ca-file) cannot be used with --tls=false/,
    });
  assert.equal(await servingTlsFromFlags(parseArguments(['--tls=false'])), false);
});

const certificate = join(serverDirectory, 'tls.crt');
for (const [what, key, reason] of [
  ['of another certificate', join(directory, 'ca.key'), 'the key is not that of the certificate'],
  ['of another type', serviceAccountKeyFile, 'the key is not that of the certificate'],
  ['that is none', certificate, 'the key is not a private key in PEM without a passphrase'],
] as const)
  test(`a private key ${what} is refused`, async () => {
    const flags = parseArguments([`--tls-cert-file=${certificate}`, `--tls-private-key-file=${key}`]);
    await assert.rejects(servingTlsFromFlags(flags), {
      name: 'FlagError',
      message: `--tls-cert-file and --tls-private-key-file cannot be used together: ${reason}`,
    });
  });

test('both authorities are read together with the serving certificate', async () => {
  const tls = await servingTlsFromFlags(
    parseArguments([
      `--tls-cert-file=${serverDirectory}/tls.crt`,
      `--tls-private-key-file=${serverDirectory}/tls.key`,
      `--client-ca-file=${caFile}`,
      `--requestheader-client-ca-file=${caFile}`,
      '--requestheader-username-headers=X-User,X-Other-User',
    ]),
  );
  assert.ok(tls);
  for (const pem of [tls.cert, tls.clientCa, tls.proxyCa]) assert.match(String(pem), /BEGIN CERTIFICATE/);
});
