import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthenticationProviderArgs } from 'kafkajs';
import { scramMechanism } from './scram-mechanism.ts';

const silent = { info() {}, error() {}, warn() {}, debug() {}, namespace: () => silent, setLogLevel() {} };

/** Runs an exchange with the given answers. */
function exchange(saslAuthenticate: AuthenticationProviderArgs['saslAuthenticate']): Promise<void> {
  const { authenticationProvider } = scramMechanism({
    mechanism: 'scram-sha-512',
    username: 'u',
    password: async () => 'p',
  });
  return authenticationProvider({
    host: '127.0.0.1',
    port: 1,
    logger: silent,
    saslAuthenticate,
  }).authenticate();
}

test('a connection that breaks during authentication fails with its own error', async () => {
  const broken = Object.assign(new Error('closed'), { name: 'KafkaJSConnectionClosedError' });
  await assert.rejects(
    exchange(() => Promise.reject(broken)),
    error => error === broken,
  );
});

test('a broker without the mechanism is reported as an authentication failure', async () => {
  const answer = { original: 'r=stranger', r: 'stranger', s: 'AAAA', i: '4096' };
  // kafkajs defines the type of the parsed messages.
  const authenticate = (() => Promise.resolve(answer)) as AuthenticationProviderArgs['saslAuthenticate'];
  await assert.rejects(exchange(authenticate), { name: 'KafkaJSSASLAuthenticationError' });
});
