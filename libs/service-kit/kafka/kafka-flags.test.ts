import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FlagError, parseFlags } from '@binnacle/flags';
import { kafkaFlags, kafkaFromFlags } from './kafka-flags.ts';

let directory = '';
const keys = [randomBytes(32), randomBytes(32)];

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-kafka-flags-'));
  const files = {
    ca: 'ca',
    cert: 'cert',
    key: 'key',
    password: 'secret\n',
    empty: '\n',
    feed: `${keys.map(key => key.toString('base64')).join('\n')}\n`,
    short: `${randomBytes(31).toString('base64')}\n`,
    repeated: `${keys[0]?.toString('base64')}\n\n${keys[0]?.toString('base64')}\n`,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
});
after(() => rm(directory, { recursive: true }));

/** Parses flags; `@name` stands for the path of a file of that name. */
const access = (flags: string) => {
  const argv = flags.split(' ').filter(flag => flag !== '');
  const withFiles = argv.map(flag => flag.replace('@', `${directory}/`));
  const parsed = () => kafkaFromFlags(parseFlags(kafkaFlags, withFiles, {}), { clientId: 'test' });
  return Promise.resolve().then(parsed);
};

const refused: readonly (readonly [flags: string, says: RegExp])[] = [
  ['--kafka-brokers=', /--kafka-brokers must name a broker/],
  ['--kafka-brokers=kafka', /kafka is not host:port/],
  ['--kafka-cert-file=@cert --kafka-key-file=@key', /needs the certificate authority file of kafka/],
  ['--kafka-ca-file=@ca --kafka-cert-file=@cert', /must be given together/],
  ['--kafka-ca-file=@absent', /ENOENT/],
  ['--kafka-sasl-username=u', /--kafka-sasl-username and --kafka-sasl-password-file must be given together/],
  ['--kafka-sasl-password-file=@password', /must be given together/],
  ['--kafka-sasl-mechanism=scram-sha-256', /--kafka-sasl-mechanism needs --kafka-sasl-username/],
  ['--kafka-sasl-mechanism=plain', /--kafka-sasl-mechanism does not support plain/],
  ['--kafka-sasl-mechanism=gssapi', /must be one of scram-sha-256, scram-sha-512/],
  ['--kafka-sasl-username=u --kafka-sasl-password-file=@empty', /is empty/],
  [
    '--kafka-brokers=127.0.0.1:1,kafka:9092 --kafka-sasl-username=u --kafka-sasl-password-file=@password',
    /needs --kafka-ca-file unless all brokers are on loopback/,
  ],
  ['--feed-accept-unencrypted', /--feed-accept-unencrypted needs --feed-key-file/],
  ['--feed-key-file=@short', /line 1 of .* is not a key of 32 bytes in base64/],
  ['--feed-key-file=@password', /line 1 of .* is not a key of 32 bytes in base64/],
  ['--feed-key-file=@repeated', /line 3 of .* repeats a key/],
];
for (const [flags, says] of refused) {
  test(`the flags [${flags}] are refused`, () =>
    assert.rejects(access(flags), (error: unknown) => {
      assert.ok(error instanceof FlagError);
      assert.match(error.message, says);
      return true;
    }));
}

test('the default is a local Kafka in plaintext without encrypted records', async () => {
  assert.deepEqual(await access(''), {
    connection: { brokers: ['127.0.0.1:9092'], tls: undefined, user: undefined, clientId: 'test' },
    topic: 'binnacle-changes-3',
    encryption: { keys: undefined, acceptUnencrypted: false },
  });
});

test('TLS, a client certificate, a user and keys are read from files', async () => {
  const { connection, encryption } = await access(
    '--kafka-brokers=kafka:9092 --kafka-ca-file=@ca --kafka-cert-file=@cert --kafka-key-file=@key ' +
      '--kafka-sasl-username=u --kafka-sasl-password-file=@password --feed-key-file=@feed --feed-accept-unencrypted',
  );
  assert.equal(connection.tls?.ca.toString(), 'ca');
  assert.equal(connection.tls?.identity?.cert.toString(), 'cert');
  assert.equal(connection.user?.mechanism, 'scram-sha-512');
  assert.equal(connection.user?.username, 'u');
  assert.equal(await connection.user?.password(), 'secret');
  assert.deepEqual(encryption.keys?.encryption.secret, keys[0]);
  assert.equal(encryption.keys?.byId.size, 2);
  assert.equal(encryption.acceptUnencrypted, true);
});

test('SASL without TLS is allowed for brokers on loopback', async () => {
  const { connection } = await access(
    '--kafka-brokers=127.0.0.1:1,[::1]:2,localhost:3 --kafka-sasl-username=u --kafka-sasl-password-file=@password --kafka-sasl-mechanism=scram-sha-256',
  );
  assert.equal(connection.tls, undefined);
  assert.equal(connection.user?.mechanism, 'scram-sha-256');
});
