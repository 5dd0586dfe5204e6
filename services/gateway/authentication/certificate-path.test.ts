import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import {
  type IssuedCertificate,
  issueAuthority,
  issueCertificate,
  issueIntermediates,
} from '@binnacle/tls/testing';
import { pathToAuthority } from './certificate-path.ts';

const dayMs = 24 * 3600_000;
const now = Date.now();
const root = await issueAuthority('root', 10);
const namesake = await issueAuthority('root', 10);
const [between] = await issueIntermediates([root], 'between', 5);
assert.ok(between);
const client = (issuer: IssuedCertificate) =>
  issueCertificate(issuer, { commonName: 'client', usages: ['client'], validDays: 2 });
const [direct, indirect] = await Promise.all([root, between].map(client));
assert.ok(direct && indirect);
const belowClient = await client(direct);
/** The same but for the last byte, which is one of the signature. */
const altered = (certificate: IssuedCertificate): IssuedCertificate => {
  const raw = Buffer.from(new X509Certificate(certificate.cert).raw);
  raw[raw.length - 1] = (raw.at(-1) ?? 0) ^ 1;
  const pem = `-----BEGIN CERTIFICATE-----\n${raw.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return { ...certificate, cert: pem };
};

const read = ({ cert }: IssuedCertificate) => new X509Certificate(cert);

const cases: readonly {
  readonly what: string;
  readonly certificate: IssuedCertificate;
  readonly shown?: readonly IssuedCertificate[];
  readonly authorities?: readonly IssuedCertificate[];
  readonly inDays?: number;
  /** Undefined: there is none. */
  readonly path: readonly IssuedCertificate[] | undefined;
}[] = [
  { what: 'from an authority itself', certificate: direct, path: [direct, root] },
  {
    what: 'through what is shown',
    certificate: indirect,
    shown: [direct, between],
    path: [indirect, between, root],
  },
  {
    what: 'to an intermediate that is an authority here',
    certificate: indirect,
    authorities: [between],
    path: [indirect, between],
  },
  { what: 'of an authority', certificate: root, path: [root] },
  { what: 'through what is not shown', certificate: indirect, path: undefined },
  { what: 'to no authority', certificate: direct, authorities: [], path: undefined },
  {
    what: 'to another authority of the same name',
    certificate: direct,
    authorities: [namesake],
    path: undefined,
  },
  { what: 'with an altered signature', certificate: altered(direct), path: undefined },
  {
    what: 'through an altered signature',
    certificate: indirect,
    shown: [altered(between)],
    path: undefined,
  },
  {
    what: 'through a certificate that is no authority',
    certificate: belowClient,
    shown: [direct],
    path: undefined,
  },
  { what: 'past the end of the certificate', certificate: direct, inDays: 3, path: undefined },
  { what: 'before the beginning of the certificate', certificate: direct, inDays: -1, path: undefined },
];
for (const { what, certificate, shown = [], authorities = [root], inDays = 0, path } of cases)
  test(`a path ${what} is ${path === undefined ? 'not ' : ''}found`, () => {
    const found = pathToAuthority({
      certificate: read(certificate),
      shown: shown.map(read),
      authorities: authorities.map(read),
      now: now + inDays * dayMs,
    });
    assert.deepEqual(
      found?.map(({ fingerprint256 }) => fingerprint256),
      path?.map(each => read(each).fingerprint256),
    );
  });

test('a path does not include an expired intermediate', async () => {
  const [short] = await issueIntermediates([root], 'short', 1);
  assert.ok(short);
  const certificate = read(await client(short));
  const search = { certificate, shown: [read(short)], authorities: [read(root)] };
  assert.equal(pathToAuthority({ ...search, now })?.length, 3);
  assert.equal(pathToAuthority({ ...search, now: now + 1.5 * dayMs }), undefined);
});

test('the search is limited for certificates with millions of paths to no authority', async () => {
  let issuer = namesake;
  const shown: X509Certificate[] = [];
  for (let layer = 0; layer < 9; layer++) {
    const certificates = await issueIntermediates(Array(6).fill(issuer), `layer-${layer}`, 5);
    shown.push(...certificates.map(read));
    [issuer = issuer] = certificates;
  }
  const certificate = read(await client(issuer));
  assert.equal(pathToAuthority({ certificate, shown, authorities: [read(root)], now }), undefined);
});
