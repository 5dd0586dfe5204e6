import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FlagError, parseFlags } from '@binnacle/flags';
import { createPki } from '@binnacle/tls';
import { oidcFlags } from './oidc-flags.ts';
import { type OidcSettings, oidcSettingsFrom } from './oidc-settings.ts';

const issuer = '--oidc-issuer-url=https://issuer.example/realm';
const needed = [issuer, '--oidc-client-id=binnacle'];

async function settings(argv: readonly string[]): Promise<OidcSettings | undefined> {
  return await oidcSettingsFrom(parseFlags(oidcFlags, argv, {}));
}

test('without flags or with empty ones there is no provider', async () => {
  assert.equal(await settings([]), undefined);
  assert.equal(
    await settings(['--oidc-issuer-url=', '--oidc-client-id=', '--oidc-required-claim=']),
    undefined,
  );
});

test('the issuer and client id are enough', async () => {
  assert.deepEqual(await settings(needed), {
    issuer: 'https://issuer.example/realm',
    clientId: 'binnacle',
    usernameClaim: 'sub',
    usernamePrefix: 'https://issuer.example/realm#',
    groupsClaim: undefined,
    groupsPrefix: '',
    requiredClaims: [],
    ca: undefined,
    algorithms: ['RS256'],
  });
});

const prefixes: [title: string, argv: string[], prefix: string][] = [
  [
    'another claim has the prefix of the issuer',
    ['--oidc-username-claim=name'],
    'https://issuer.example/realm#',
  ],
  ['email has none', ['--oidc-username-claim=email'], ''],
  ['a prefix may be given', ['--oidc-username-prefix=oidc:'], 'oidc:'],
  ['for email too', ['--oidc-username-claim=email', '--oidc-username-prefix=oidc:'], 'oidc:'],
  ['a dash is no prefix', ['--oidc-username-prefix=-'], ''],
];
for (const [title, argv, prefix] of prefixes)
  test(`user name prefix: ${title}`, async () => {
    assert.equal((await settings([...needed, ...argv]))?.usernamePrefix, prefix);
  });

test('required claims add up, and their values may contain commas and equals signs', async () => {
  const argv = ['--oidc-required-claim=hd=a,b', '--oidc-required-claim=tier=x=y'];
  assert.deepEqual((await settings([...needed, ...argv]))?.requiredClaims, [
    { claim: 'hd', value: 'a,b' },
    { claim: 'tier', value: 'x=y' },
  ]);
});

test('algorithms and groups are read', async () => {
  const argv = ['--oidc-signing-algs=ES256,PS512', '--oidc-groups-claim=roles', '--oidc-groups-prefix=oidc:'];
  const { algorithms, groupsClaim, groupsPrefix } = (await settings([...needed, ...argv])) ?? {};
  assert.deepEqual([algorithms, groupsClaim, groupsPrefix], [['ES256', 'PS512'], 'roles', 'oidc:']);
});

const refused: [title: string, argv: string[], message: RegExp][] = [
  ['a client id without an issuer', ['--oidc-client-id=x'], /need --oidc-issuer-url/],
  ['an authority file without an issuer', ['--oidc-ca-file=x'], /need --oidc-issuer-url/],
  ['a required claim without an issuer', ['--oidc-required-claim=a=b'], /need --oidc-issuer-url/],
  ['a user name claim without an issuer', ['--oidc-username-claim=email'], /need --oidc-issuer-url/],
  ['algorithms without an issuer', ['--oidc-signing-algs=ES256'], /need --oidc-issuer-url/],
  ['an issuer without a client id', [issuer], /needs --oidc-client-id/],
  ['an http issuer', ['--oidc-issuer-url=http://a', '--oidc-client-id=x'], /must be an https:\/\/ URL/],
  ['an issuer that is no URL', ['--oidc-issuer-url=a', '--oidc-client-id=x'], /must be an https:\/\/ URL/],
  ['an issuer with a user', ['--oidc-issuer-url=https://u:p@a', '--oidc-client-id=x'], /must have no user/],
  [
    'an issuer with a query',
    ['--oidc-issuer-url=https://a?b', '--oidc-client-id=x'],
    /must have no user, query/,
  ],
  ['none', [...needed, '--oidc-signing-algs=none'], /; none is not accepted/],
  ['HMAC', [...needed, '--oidc-signing-algs=RS256,HS256'], /; HS256 is not accepted/],
  ['no algorithm', [...needed, '--oidc-signing-algs='], /must name an algorithm/],
  ['an empty user name claim', [...needed, '--oidc-username-claim='], /must not be empty/],
  ['a groups prefix without a claim', [...needed, '--oidc-groups-prefix=a'], /needs --oidc-groups-claim/],
  ['a required claim without a value', [...needed, '--oidc-required-claim=a'], /must be key=value/],
  ['a required claim without a name', [...needed, '--oidc-required-claim==a'], /must be key=value/],
  [
    'two values of one required claim',
    [...needed, '--oidc-required-claim=a=b', '--oidc-required-claim=a=c'],
    /names the claim a more than once/,
  ],
  ['an authority file that is not there', [...needed, '--oidc-ca-file=/nowhere'], /--oidc-ca-file: ENOENT/],
];
for (const [title, argv, message] of refused)
  test(`flags are refused: ${title}`, async () => {
    await assert.rejects(
      async () => settings(argv),
      error => {
        assert.ok(error instanceof FlagError);
        assert.match(error.message, message);
        return true;
      },
    );
  });

test('the authority file must contain valid certificates', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-oidc-settings-'));
  const { caFile } = await createPki(directory);
  const bad = join(directory, 'bad.crt');
  assert.match(String((await settings([...needed, `--oidc-ca-file=${caFile}`]))?.ca), /BEGIN CERTIFICATE/);
  for (const text of ['', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n']) {
    writeFileSync(bad, text);
    await assert.rejects(settings([...needed, `--oidc-ca-file=${bad}`]), /has no certificate, or one that/);
  }
  rmSync(directory, { recursive: true });
});
