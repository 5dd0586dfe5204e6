import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { clusterCertificate } from '../drivers/certified-requests.ts';
import type { ConformanceTests } from '../drivers/conformance-server.ts';
import { selfReview, whoIs } from './self-review.ts';
import { type EveryMethod, withEveryMethod } from './with-every-method.ts';

/** The user of a request that the proxy passes on with these headers. */
async function passedOn({ server, proxyCertificate }: EveryMethod, headers: OutgoingHttpHeaders) {
  return whoIs(server, { headers, certificate: await proxyCertificate('front-proxy') });
}

/** 2, "Authenticating proxy flags". */
export const proxyTests: ConformanceTests = {
  async '2/Methods/authenticating proxy headers name the user'(under) {
    const { username } = await passedOn(await withEveryMethod(under), { 'x-remote-user': 'carol' });
    assert.equal(username, 'carol');
  },

  async '2/Authenticating proxy/--requestheader-username-headers the first that is not empty'(under) {
    const methods = await withEveryMethod(under);
    const cases: [OutgoingHttpHeaders, string][] = [
      [{ 'X-Remote-User': 'second', 'X-First-User': 'first' }, 'first'],
      [{ 'X-First-User': '', 'X-Remote-User': 'second' }, 'second'],
      [{ 'x-REMOTE-user': 'second' }, 'second'],
    ];
    for (const [headers, expected] of cases)
      assert.equal((await passedOn(methods, headers))['username'], expected);
  },

  async '2/Authenticating proxy/--requestheader-group-headers each value is a group'(under) {
    const { groups } = await passedOn(await withEveryMethod(under), {
      'x-remote-user': 'carol',
      'x-remote-group': ['devs', 'qa'],
    });
    assert.deepEqual(groups, ['devs', 'qa', 'system:authenticated']);
  },

  async '2/Authenticating proxy/--requestheader-extra-headers-prefix keys are decoded'(under) {
    const { extra } = await passedOn(await withEveryMethod(under), {
      'x-remote-user': 'carol',
      'X-Remote-Extra-Acme.com%2FProject': 'p',
      'x-remote-extra-scopes': ['a', 'b'],
    });
    assert.deepEqual(extra, { 'acme.com/project': ['p'], scopes: ['a', 'b'] });
  },

  async '2/Authenticating proxy/--requestheader-client-ca-file no headers without its certificate'(under) {
    const { server } = await withEveryMethod(under);
    const headers = { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' };
    assert.equal((await selfReview(server, { headers })).code, 403, 'anonymous');
    const certificate = await clusterCertificate(server, 'mallory');
    const { username, groups } = await whoIs(server, { headers, certificate });
    assert.deepEqual([username, groups], ['mallory', ['system:authenticated']]);
    const bob = await whoIs(server, { headers: { ...headers, authorization: 'Bearer bob-token' } });
    assert.equal(bob['username'], 'bob');
  },

  async '2/Authenticating proxy/--requestheader-allowed-names another name is not the proxy'(under) {
    const { server, proxyCertificate } = await withEveryMethod(under);
    const certificate = await proxyCertificate('other-proxy');
    const answer = await selfReview(server, { headers: { 'x-remote-user': 'carol' }, certificate });
    assert.equal(answer.code, 401);
  },
};
