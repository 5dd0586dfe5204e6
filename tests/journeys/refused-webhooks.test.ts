import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminServer, startAdminServer } from './admin-server.ts';
import { startWebhooks, type WebhookServer } from './webhook-server.ts';

const configurations = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';

let server: AdminServer;
let hooks: WebhookServer;

before(async () => {
  hooks = await startWebhooks({ '/allow': () => ({ allowed: true }) });
  // As it is unless a flag says otherwise.
  server = await startAdminServer({ allowLoopbackWebhooks: false, webhookDeniedNetworks: ['10.66.0.0/16'] });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await hooks[Symbol.asyncDispose]();
});

for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '169.254.169.254', '10.66.0.1'])
  test(`a webhook at ${host} is not called`, async () => {
    const namespace = await server.namespace();
    const { port } = new URL(hooks.url);
    const webhook = {
      name: 'refused.test.io',
      clientConfig: { url: `https://${host}:${port}/allow`, caBundle: hooks.caBundle },
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    await server.expect(201, 'POST', configurations, {
      body: { metadata: { name: 'refused' }, webhooks: [webhook] },
    });
    const refused = await server.expect(500, 'POST', `${namespace}/configmaps`, {
      body: { metadata: { name: 'c' } },
    });
    assert.match(String(refused['message']), /is a (loopback|link-local) address|is in a denied network/);
    await server.expect(200, 'DELETE', `${configurations}/refused`);
    assert.equal(hooks.calls.length, 0);
  });
