import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '@binnacle/telemetry';
import {
  type IssuedCertificate,
  issueAuthority,
  issueCertificate,
  issueIntermediates,
} from '@binnacle/tls/testing';
import { followCertificates } from './follow-certificates.ts';
import type { ServingTls } from './secure-context-options.ts';
import {
  askOnce,
  openHttp1,
  showing,
  startAuthenticatingTarget,
  trusting,
} from './test-drivers/authenticating-target.ts';

const [first, second, third] = await Promise.all([
  issueAuthority('first', 3),
  issueAuthority('second', 3),
  issueAuthority('third', 3),
]);
const own = await issueCertificate(first, { commonName: 'server', usages: ['server'], validDays: 1 });
const issueClient = (issuer: IssuedCertificate, commonName: string) =>
  issueCertificate(issuer, { commonName, usages: ['client'], validDays: 1 });

interface Trusted {
  readonly clients?: readonly IssuedCertificate[];
  readonly proxies?: readonly IssuedCertificate[];
}

/** A server that follows what it is told to trust, with the certificate that it began with. */
async function start(trusted: Trusted) {
  const began: ServingTls = { ...own, ...trusting(trusted) };
  const target = await startAuthenticatingTarget(began);
  const lines: string[] = [];
  let now: ServingTls = began;
  const following = followCertificates(
    target.server,
    {
      current: began,
      read: async () => now,
      everyMs: 5,
      onApplied: tls => {
        target.state.tls = tls;
      },
    },
    createLogger({ sink: line => lines.push(line) }),
  );
  return {
    target,
    async trust(next: Trusted): Promise<void> {
      const before = target.state.tls;
      const { clientCa, proxyCa } = trusting(next);
      if (clientCa === before.clientCa && proxyCa === before.proxyCa) return;
      now = { ...began, clientCa, proxyCa };
      for (const giveUpAt = Date.now() + 20_000; target.state.tls === before; await pause(5))
        assert.ok(Date.now() < giveUpAt, lines.join('\n'));
    },
    /** The user for whom the client is taken, with headers of a proxy; undefined: 401. */
    async readUser(client: IssuedCertificate): Promise<string | undefined> {
      const { code, seen } = await askOnce(target, 'http/1.1', {
        client,
        headers: [['X-First-User', 'proxied']],
      });
      assert.equal(code, seen === undefined ? 401 : 200);
      return seen?.user.username;
    },
    [Symbol.dispose]() {
      following[Symbol.dispose]();
      target[Symbol.dispose]();
    },
  };
}

test('client authorities are added, removed and replaced while the server runs', async () => {
  using server = await start({ clients: [first] });
  const [one, two] = await Promise.all([issueClient(first, 'one'), issueClient(second, 'two')]);
  const both = async () => [await server.readUser(one), await server.readUser(two)];
  assert.deepEqual(await both(), ['one', undefined]);
  await server.trust({ clients: [first, second] });
  assert.deepEqual(await both(), ['one', 'two']);
  await server.trust({ clients: [second] });
  assert.deepEqual(await both(), [undefined, 'two']);
  await server.trust({ clients: [first] });
  assert.deepEqual(await both(), ['one', undefined]);
});

test('proxy authorities are added, removed and replaced while the server runs', async () => {
  using server = await start({ clients: [third], proxies: [first] });
  const fronts = await Promise.all([first, second, third].map(issuer => issueClient(issuer, 'front')));
  const all = () => Promise.all(fronts.map(server.readUser));
  assert.deepEqual(await all(), ['proxied', undefined, 'front']);
  await server.trust({ clients: [third], proxies: [first, second] });
  assert.deepEqual(await all(), ['proxied', 'proxied', 'front']);
  await server.trust({ clients: [third], proxies: [second] });
  assert.deepEqual(await all(), [undefined, 'proxied', 'front']);
  // A former proxy is a user, and the other way round.
  await server.trust({ clients: [second], proxies: [third] });
  assert.deepEqual(await all(), [undefined, 'front', 'proxied']);
});

test('a client with a cross-signed intermediate is trusted while one of its chains leads to an authority', async () => {
  const intermediates = await issueIntermediates([first, second], 'between', 2);
  const [byFirst, bySecond] = intermediates;
  assert.ok(byFirst && bySecond);
  const client = await issueClient(byFirst, 'front');
  const cases: readonly (readonly [Trusted, shown: IssuedCertificate[], string | undefined])[] = [
    [{ clients: [first] }, [byFirst], 'front'],
    [{ clients: [first, second] }, [byFirst], 'front'],
    [{ clients: [second] }, [byFirst], undefined],
    // The certificates that the server has beside the authority stand for those that the client does not show.
    [{ clients: [second, bySecond] }, [byFirst], 'front'],
    [{ clients: [second] }, [bySecond, byFirst], 'front'],
    [{ clients: [second, bySecond], proxies: [third] }, [byFirst], 'front'],
    [{ clients: [third], proxies: [second, bySecond] }, [byFirst], 'proxied'],
    [{ clients: [first], proxies: [second] }, [byFirst], 'front'],
    [{ clients: [first], proxies: [second] }, [byFirst, bySecond], 'proxied'],
    [{ clients: [third] }, [byFirst, bySecond], undefined],
  ];
  using server = await start({ clients: [third] });
  using withProxies = await start({ clients: [third], proxies: [third] });
  for (const [index, [trusted, shown, user]] of cases.entries()) {
    const used = trusted.proxies === undefined ? server : withProxies;
    await used.trust(trusted);
    assert.equal(await used.readUser(showing(client, ...shown)), user, `case ${index}`);
  }
});

test('a session is not resumed after its authority was removed', async () => {
  using server = await start({ clients: [first] });
  const client = await issueClient(first, 'one');
  const resumed = async (session?: Buffer) => {
    using connection = await openHttp1(server.target, client, session);
    const ticket = session === undefined ? once(connection.socket, 'session') : [undefined];
    const { code } = await connection.ask([]);
    const [next] = (await ticket) as [Buffer | undefined]; // The event's one argument.
    return { code, next, isReused: connection.socket.isSessionReused() };
  };
  const { code, next } = await resumed();
  assert.equal(code, 200);
  assert.deepEqual(await resumed(next), { code: 200, next: undefined, isReused: true });
  await server.trust({ clients: [second] });
  assert.deepEqual(await resumed(next), { code: 401, next: undefined, isReused: false });
});

test('no session is resumed if there is a proxy authority, because it would lack the certificate chain', async () => {
  using server = await start({ clients: [second], proxies: [first] });
  const [between] = await issueIntermediates([first], 'between', 2);
  assert.ok(between);
  const client = showing(await issueClient(between, 'front'), between);
  let session: Buffer | undefined;
  for (const _connection of ['first', 'second']) {
    using connection = await openHttp1(server.target, client, session);
    connection.socket.on('session', ticket => {
      session = ticket;
    });
    const { seen } = await connection.ask([['X-First-User', 'proxied']]);
    assert.equal(seen?.user.username, 'proxied');
    assert.equal(connection.socket.isSessionReused(), false);
  }
});
