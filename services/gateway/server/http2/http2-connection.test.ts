import assert from 'node:assert/strict';
import { once } from 'node:events';
import { constants, type OutgoingHttpHeaders } from 'node:http2';
import { request as request11 } from 'node:https';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { closeServer } from '@binnacle/connections';
import type { Exchange } from '../../request/exchange.ts';
import type { FrameOutlet } from '../../request/http-messages.ts';
import { readBody } from '../../request/read-body.ts';
import { ask, createTestTls, hear, startHttp2Target, until } from '../test-drivers/http2-target.ts';
import { connectRaw, frameTypes, getFrame } from '../test-drivers/raw-client.ts';

const tls = await createTestTls();

const short = 60;
const large = Buffer.alloc(3 * 1024 * 1024, 'x');

/** Answers with what it understood of a request. */
async function echo(exchange: Exchange): Promise<void> {
  const { request, response, method, path, call } = exchange;
  if (path === '/large') response.end(large);
  else if (path === '/open')
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' });
  else if (path === '/early') response.writeHead(403).end('no');
  else if (path === '/break') {
    response.writeHead(200);
    response.write('a part');
    setImmediate(() => response.destroy());
  } else {
    const body = await readBody({ request, response }, call);
    const { host, 'x-twice': twice } = request.headers;
    response.setHeader('Connection', 'keep-alive');
    response.setHeader('Cache-Control', 'public');
    response.appendHeader('Vary', 'a');
    response.appendHeader('vary', 'b');
    response.writeHead(200, [...exchange.headers, 'Warning', '299 - "one"', 'warning', '299 - "two"']);
    const distinct = request.headersDistinct['x-twice'];
    response.end(JSON.stringify({ method, path, host, twice, distinct, bytes: body.length }));
  }
}

describe('a request over HTTP/2', { concurrency: true }, () => {
  test('reaches the pipeline with its headers and body', async () => {
    await using target = await startHttp2Target(tls, echo);
    const headers = { ':method': 'POST', ':path': '/a?b=c', 'x-twice': ['1', '2'] };
    const heard = await ask(target.connect(), headers, large);
    assert.deepEqual(JSON.parse(heard.text), {
      ...{ method: 'POST', path: '/a', host: `127.0.0.1:${target.port}` },
      ...{ twice: '1, 2', distinct: ['1', '2'], bytes: large.length },
    });
    assert.deepEqual([heard.status, heard.isWhole, heard.resetCode], [200, true, 0]);
    assert.equal(heard.headers['connection'], undefined);
    assert.equal(heard.headers['warning'], '299 - "one", 299 - "two"');
    assert.equal(heard.headers['vary'], 'a, b');
    assert.equal(heard.headers['cache-control'], 'no-cache, private');
    assert.match(String(heard.headers['audit-id']), /^[0-9a-f-]{36}$/);
    assert.deepEqual(target.counted, ['established h2']);
    await until('no stream is left', () => target.state.streams === 0);
  });

  test('is answered with megabytes, and with headers only', async () => {
    await using target = await startHttp2Target(tls, echo);
    const session = target.connect();
    const whole = await ask(session, { ':path': '/large' });
    assert.deepEqual([whole.text.length, whole.isWhole], [large.length, true]);
    const head = await ask(session, { ':method': 'HEAD', ':path': '/large' });
    assert.deepEqual([head.status, head.text, head.isWhole, head.resetCode], [200, '', true, 0]);
  });

  for (const [what, body] of [
    ['without a body', undefined],
    ['with a body', Buffer.from('{}')],
  ] as const)
    test(`${what} finishes with its answer, and its client has not left`, async () => {
      const exchanges: Exchange[] = [];
      await using target = await startHttp2Target(tls, async exchange => {
        exchanges.push(exchange);
        const { request, response, call } = exchange;
        await readBody({ request, response }, call);
        // Not in the turn in which the last frame of the request came.
        await nextTurn();
        response.end(Buffer.from('an answer'));
      });
      const headers = { ':method': body === undefined ? 'GET' : 'POST', ':path': '/a' };
      assert.equal((await ask(target.connect(), headers, body)).status, 200);
      await until('the response has closed', () => exchanges[0]?.response.destroyed === true);
      const [exchange] = exchanges;
      assert.deepEqual([exchange?.response.writableFinished, exchange?.isDisconnected], [true, false]);
    });

  test('shares a port with HTTP/1.1', async () => {
    await using target = await startHttp2Target(tls, echo);
    await ask(target.connect(), { ':path': '/early' });
    const old = request11({
      port: target.port,
      host: '127.0.0.1',
      path: '/x',
      rejectUnauthorized: false,
      agent: false,
    });
    old.end();
    const [answer] = await once(old, 'response');
    answer.resume();
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(target.counted, ['established h2', 'established http/1.1']);
  });

  test('is answered when it is refused before the end of its body, and its stream is closed', async () => {
    await using target = await startHttp2Target(tls, echo);
    const session = target.connect();
    const stream = session.request({ ':method': 'POST', ':path': '/early' });
    const heard = hear(stream);
    stream.write('half');
    const { status, text } = await heard;
    assert.deepEqual([status, text], [403, 'no']);
    await until('the stream is over', () => target.state.streams === 0);
    assert.equal((await ask(session, { ':path': '/large' })).isWhole, true);
  });

  test('is told when its answer is incomplete', async () => {
    await using target = await startHttp2Target(tls, echo);
    const heard = await ask(target.connect(), { ':path': '/break' });
    assert.deepEqual([heard.isWhole, heard.resetCode], [false, constants.NGHTTP2_INTERNAL_ERROR]);
  });

  test('ends when its client resets it, without effect on others', async () => {
    let aborted = 0;
    await using target = await startHttp2Target(tls, async exchange => {
      if (exchange.path !== '/wait') return await echo(exchange);
      await new Promise(resolve => exchange.call.signal.addEventListener('abort', resolve));
      aborted++;
    });
    const session = target.connect();
    const waiting = session.request({ ':path': '/wait' });
    waiting.on('error', () => {});
    await until('it is served', () => target.state.streams === 1);
    waiting.close(constants.NGHTTP2_CANCEL);
    await until('it is aborted', () => aborted === 1 && target.state.streams === 0);
    assert.equal((await ask(session, { ':path': '/early' })).status, 403);
  });

  test('with a method unknown to HTTP/1.1 is refused as there', async () => {
    await using target = await startHttp2Target(tls, echo);
    const session = target.connect();
    const odd = await ask(session, { ':method': 'BREW', ':path': '/' });
    assert.deepEqual([odd.status, JSON.parse(odd.text).reason], [405, 'MethodNotAllowed']);
    await until('no stream is left', () => target.state.streams === 0);
  });

  const addressed: readonly [what: string, headers: OutgoingHttpHeaders, status: number][] = [
    ['with the authority as its host too', { ':authority': 'a.example', host: 'A.example' }, 200],
    ['with another host than its authority', { ':authority': 'a.example', host: 'b.example' }, 400],
  ];
  for (const [what, headers, status] of addressed)
    test(`${what} gets ${status}`, async () => {
      await using target = await startHttp2Target(tls, async ({ response }) => void response.end('here'));
      const { status: heard, text } = await ask(target.connect(), headers);
      assert.equal(heard, status);
      if (status === 400) assert.equal(JSON.parse(text).reason, 'BadRequest');
    });
});

describe('an idle HTTP/2 connection', { concurrency: true }, () => {
  test('is closed before its first request', async () => {
    await using target = await startHttp2Target(tls, echo, {
      requestHeaderTimeout: short,
      requestBodyIdleTimeout: short,
    });
    await once(target.connect(), 'close');
    await until('forgotten', () => target.guard.size === 0);
  });

  test('is closed with GOAWAY between requests', async () => {
    await using target = await startHttp2Target(tls, echo, {
      keepAliveTimeout: short,
      requestBodyIdleTimeout: short,
    });
    const session = target.connect();
    const goaway = once(session, 'goaway');
    await ask(session, { ':path': '/early' });
    assert.equal((await goaway)[0], constants.NGHTTP2_NO_ERROR);
    await until('forgotten', () => target.guard.size === 0);
  });

  test('gets 408 for a body that does not arrive, and other requests continue', async () => {
    await using target = await startHttp2Target(tls, echo, { requestBodyIdleTimeout: short });
    const session = target.connect();
    const stream = session.request({ ':method': 'POST', ':path': '/' });
    const heard = hear(stream);
    stream.write('half');
    const other = session.request({ ':path': '/open' }, { endStream: true });
    other.on('error', () => {});
    const { status, text } = await heard;
    assert.deepEqual([status, JSON.parse(text).reason], [408, 'Timeout']);
    assert.deepEqual([other.closed, target.counted.at(-1)], [false, 'http2 body']);
    await until('the other stream is left', () => target.state.streams === 1);
  });

  test('with an unread request body does not delay others', async () => {
    const gate = Promise.withResolvers<void>();
    await using target = await startHttp2Target(
      tls,
      async exchange => {
        if (exchange.path !== '/watch') return await echo(exchange);
        exchange.response.writeHead(200).write('first');
        await gate.promise;
        exchange.response.end(' last');
      },
      { requestBodyIdleTimeout: short },
    );
    const session = target.connect();
    const headers = { ':method': 'GET', ':path': '/watch' };
    const watches = [ask(session, headers, ''), ask(session, headers, 'unread')];
    await until('they are served', () => target.state.streams === 2);
    const late = session.request({ ':method': 'POST', ':path': '/' });
    const heard = hear(late);
    late.write('half');
    assert.equal((await heard).status, 408);
    gate.resolve();
    for (const { text, isWhole } of await Promise.all(watches))
      assert.deepEqual([text, isWhole], ['first last', true]);
    assert.deepEqual(target.counted.slice(1), ['http2 body']);
  });

  test('has an unread stream reset, and other streams continue', async () => {
    // Longer than a busy machine keeps the reader of the other streams from reading.
    await using target = await startHttp2Target(tls, echo, { responseIdleTimeout: 20 * short });
    const session = target.connect();
    const deaf = session.request({ ':path': '/large' });
    deaf.on('error', () => {}).pause();
    const closed = new Promise(resolve => deaf.once('close', resolve));
    assert.equal((await ask(session, { ':path': '/large' })).text.length, large.length);
    await closed;
    assert.equal(deaf.rstCode, constants.NGHTTP2_INTERNAL_ERROR);
    assert.deepEqual(target.counted.slice(1), ['http2 answer']);
    assert.equal((await ask(session, { ':path': '/large' })).text.length, large.length);
  });
});

describe('an aborted stream', { concurrency: true }, () => {
  const mebibyte = 1024 * 1024;

  test('keeps no memory of a watch', async () => {
    const gate = Promise.withResolvers<void>();
    const outlets: FrameOutlet[] = [];
    await using target = await startHttp2Target(tls, async ({ response }) => {
      response.writeHead(200).flushHeaders();
      if (response.outlet) outlets.push(response.outlet);
      await gate.promise;
    });
    const client = await connectRaw(target.port, { reads: false });
    client.send(...[1, 3, 5].map(id => getFrame(id, '/watch')));
    await until('all are served', () => outlets.length === 3);
    for (const [i, size] of [5, 2, 2].entries()) outlets[i]?.write(Buffer.alloc(size * mebibyte));
    outlets[1]?.write(Buffer.alloc(mebibyte));
    gate.resolve();
    await until('one is over', () => target.state.streams === 2);
    assert.deepEqual(target.counted.slice(1), ['http2 watch-bytes']);
    client.socket.destroy();
  });
});

describe('a stop of an HTTP/2 server', { concurrency: true }, () => {
  test('sends GOAWAY, serves current requests and ends', async () => {
    const gate = Promise.withResolvers<void>();
    const target = await startHttp2Target(tls, async exchange => {
      if (exchange.path === '/slow') await gate.promise;
      await echo(exchange);
    });
    const session = target.connect();
    const goaways: number[] = [];
    session.on('goaway', (_code, last) => goaways.push(last));
    const slow = ask(session, { ':path': '/slow' });
    await until('it is served', () => target.state.streams === 1);
    const stopped = closeServer(target.server, target.guard, 600_000);
    await until('the client is told', () => goaways.length > 0);
    assert.deepEqual(goaways, [1]);
    gate.resolve();
    assert.equal((await slow).status, 200);
    await stopped;
    await until('forgotten', () => target.guard.size === 0);
  });

  test('announces the last served request, so that clients send later ones elsewhere', async () => {
    const gate = Promise.withResolvers<void>();
    const served: string[] = [];
    const target = await startHttp2Target(tls, async exchange => {
      served.push(exchange.path);
      await gate.promise;
      exchange.response.end('served');
    });
    const client = await connectRaw(target.port);
    client.send(getFrame(1, '/before'));
    await until('it is served', () => served.length === 1);
    const stopped = closeServer(target.server, target.guard, 600_000);
    client.send(getFrame(3, '/on-its-way'));
    const goaway = () => client.heard.find(({ type }) => type === frameTypes.goaway);
    await until('the client is told', () => goaway() !== undefined);
    client.send(getFrame(5, '/after'));
    gate.resolve();
    await client.closed;
    await stopped;
    const answered = client.heard.filter(({ type }) => type === frameTypes.data).map(({ stream }) => stream);
    const last = goaway()?.last;
    const expected = [1, 3, 5].filter(id => last !== undefined && id <= last);
    assert.ok(last !== undefined && last < 5, `the last is ${last}`);
    assert.deepEqual([[...new Set(answered)], served.length], [expected, expected.length]);
  });

  test('is announced to clients with their next request', async () => {
    await using target = await startHttp2Target(tls, echo);
    const session = target.connect();
    await ask(session, { ':path': '/early' });
    target.state.stopping = true;
    const goaway = once(session, 'goaway');
    assert.equal((await ask(session, { ':path': '/early' })).status, 403);
    await goaway;
  });
});

describe('the chance of a GOAWAY', { concurrency: true }, () => {
  const chance = 0.02;

  test('moves later requests of a client to another connection, while watches go on', async () => {
    const gate = Promise.withResolvers<void>();
    await using target = await startHttp2Target(
      tls,
      async exchange => {
        if (exchange.path !== '/watch') return await echo(exchange);
        exchange.response.writeHead(200).write('first');
        await gate.promise;
        exchange.response.end(' last');
      },
      { goawayChance: chance },
    );
    target.state.random = chance;
    const session = target.connect();
    const goaways: number[] = [];
    session.on('goaway', (_code, last) => goaways.push(last));
    const watch = ask(session, { ':path': '/watch' });
    await until('it is served', () => target.state.streams === 1);
    assert.equal((await ask(session, { ':path': '/early' })).status, 403);
    await new Promise<unknown>(resolve => session.ping(resolve));
    assert.deepEqual(goaways, [], 'the chance does not cover this request');
    target.state.random = chance / 2;
    const closed = once(session, 'close');
    assert.equal((await ask(session, { ':path': '/early' })).status, 403);
    await until('the client is told', () => goaways.length > 0);
    assert.deepEqual(goaways, [5]);
    assert.equal((await ask(target.connect(), { ':path': '/early' })).status, 403);
    gate.resolve();
    const { text, isWhole } = await watch;
    assert.deepEqual([text, isWhole], ['first last', true]);
    await closed;
  });

  test('is none without the flag', async () => {
    await using target = await startHttp2Target(tls, echo);
    const session = target.connect();
    session.on('goaway', () => assert.fail('the connection was to stay'));
    for (let count = 0; count < 3; count++)
      assert.equal((await ask(session, { ':path': '/early' })).status, 403);
    await new Promise<unknown>(resolve => session.ping(resolve));
    assert.equal(session.closed, false);
  });
});
