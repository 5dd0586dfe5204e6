import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkPair } from './check-pair.ts';
import { findPairs } from './find-pairs.ts';
import { createMessageOfKind } from './messages-of-kinds.ts';

const findMessage = createMessageOfKind();
let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'check-wire-'));
});
after(() => rm(directory, { recursive: true }));

/** An envelope with its lengths, written out by hand. */
function envelope(apiVersion: string, kind: string, raw: string): Buffer {
  const field = (tag: number, content: Buffer) =>
    Buffer.concat([Buffer.from([tag, content.length]), content]);
  const typeMeta = Buffer.concat([field(0x0a, Buffer.from(apiVersion)), field(0x12, Buffer.from(kind))]);
  const parts = [field(0x0a, typeMeta), field(0x12, Buffer.from(raw, 'hex')), Buffer.from('1a002200', 'hex')];
  return Buffer.concat([Buffer.from('6b387300', 'hex'), ...parts]);
}

async function check(name: string, document: unknown, bytes: Buffer | undefined, rename = false) {
  await writeFile(join(directory, `${name}.json`), JSON.stringify(document));
  if (bytes !== undefined) await writeFile(join(directory, `${name}.pb`), bytes);
  const pair = findPairs(directory).find(found => found.name === name);
  assert.ok(pair);
  return checkPair(pair, { messageOf: findMessage, rename });
}

/** name "a"; updatedAnnotations {"k": "v"}; rollbackTo {revision 3} */
const rollbackBytes = '0a0161' + '12060a016b120176' + '1a020803';
const rollback = {
  kind: 'DeploymentRollback',
  apiVersion: 'apps/v1beta1',
  name: 'a',
  updatedAnnotations: { k: 'v' },
  rollbackTo: { revision: 3 },
};
const options = { kind: 'GetOptions', apiVersion: 'v1', resourceVersion: '7' };

describe('a pair of JSON and protobuf', () => {
  it('passes if both are equal, of removed versions too', async () => {
    const bytes = envelope('apps/v1beta1', 'DeploymentRollback', rollbackBytes);
    assert.equal(await check('rollback', rollback, bytes), undefined);
  });

  it('is identified by its file name if the envelope has no type', async () => {
    const event = { type: 'ADDED', object: { a: 1 } };
    const raw = `0a054144444544${'12090a07'}${Buffer.from('{"a":1}').toString('hex')}`;
    assert.equal(await check('core.v1.WatchEvent', event, envelope('', '', raw)), undefined);
  });

  it('is translated on request', async () => {
    const document = { ...options, apiVersion: 'storage.k8s.io/v1' };
    const bytes = envelope('storage.k8s.io/v1', 'GetOptions', '0a0137');
    assert.equal(await check('renamed', document, bytes, true), undefined);
  });

  for (const [what, document, raw, why] of [
    [
      'another value',
      { ...options, resourceVersion: '8' },
      '0a0137',
      /differs from the JSON at \.resourceVersion/,
    ],
    ['a field that is not defined', { ...options, nothing: 1 }, '0a0137', /without a definition: nothing/],
    ['other bytes for the same', options, '0a01380a0137', /encoded, it differs at byte/],
    ['bytes that are no message', options, '0a0537', /resourceVersion: the bytes are truncated/],
  ] as const) {
    it(`is reported with the reason: ${what}`, async () => {
      assert.match((await check('wrong', document, envelope('v1', 'GetOptions', raw))) ?? '', why);
    });
  }

  it('is reported if one of the two is missing, or the kind is unknown', async () => {
    assert.equal(await check('alone', options, undefined), 'there is no .pb file');
    const bytes = envelope('v7', 'Nothing', '');
    assert.match((await check('unknown', options, bytes)) ?? '', /no definition of Nothing/);
  });
});
