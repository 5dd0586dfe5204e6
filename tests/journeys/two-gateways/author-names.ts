import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { extensions, groups, understood } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import type { ConformanceServer } from '../../conformance/drivers/conformance-server.ts';
import { at } from '../admin-server.ts';
import { until } from '../api-server.ts';
import { createDefinition } from '../custom-widget.ts';
import { configMapRule, configurationsPath, patched } from '../webhook-journey.ts';
import { startWebhooks, type WebhookServer } from '../webhook-server.ts';
import type { TwoGateways } from './start-two-gateways.ts';

/** A webhook that is configured through one gateway by the names of its author, and asked about what comes through both. */
export function registerAuthorNamesJourney(gateways: () => TwoGateways): void {
  suite('names of authors at two gateways', () => {
    let server: ConformanceServer;
    let hooks: WebhookServer;
    const label = { author: 'names' };
    const [ownGroup = ''] = understood.groups.apiextensions;
    const extension = understood.extensions.preserveUnknownFields.at(-1) ?? '';
    const registration = understood.groups.admissionregistration.at(-1) ?? '';
    const path = configurationsPath('mutating', registration);

    before(async () => {
      ({ server } = gateways());
      const at = `/spec/versions/0/schema/openAPIV3Schema/${extension}`;
      hooks = await startWebhooks({ '/free': () => patched({ op: 'add', path: at, value: true }) });
    });
    after(async () => {
      await server.request('DELETE', `${path}/author-names`);
      await hooks?.[Symbol.asyncDispose]();
    });

    test('a webhook is called with the names of its author, through each gateway and path of a definition', async () => {
      const webhook = {
        name: 'free.example.com',
        clientConfig: { url: `${hooks.url}/free`, caBundle: hooks.caBundle },
        rules: [
          {
            ...configMapRule,
            apiGroups: [understood.groups.apiextensions.at(-1) ?? ''],
            resources: ['customresourcedefinitions'],
          },
        ],
        objectSelector: { matchLabels: label },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      };
      const body = { metadata: { name: 'author-names' }, webhooks: [webhook] };
      await server.expect(201, 'POST', path, { body, gateway: 0 });
      let made = 0;
      const define = async (group: string, gateway: number) => {
        made++;
        const facts = { group: 'names.author.example.com' };
        const definition = createDefinition(`names${made}`, `Names${made}`, { type: 'object' }, facts);
        Object.assign(definition.metadata, { labels: label });
        return await server.expect(201, 'POST', `/apis/${group}/v1/customresourcedefinitions?dryRun=All`, {
          body: definition,
          gateway,
        });
      };
      const findSchema = (definition: JsonObject) =>
        at(definition, 'spec', 'versions', 0, 'schema', 'openAPIV3Schema');
      for (const gateway of [0, 1]) {
        hooks.calls.length = 0;
        await until('the webhook is asked', async () => {
          await define(ownGroup, gateway);
          return hooks.calls.length > 0;
        });
        for (const group of understood.groups.apiextensions) {
          hooks.calls.length = 0;
          const { body: answered } = await define(group, gateway);
          const shown = group === groups.apiextensions ? extensions.preserveUnknownFields : extension;
          assert.deepEqual(findSchema(answered as JsonObject), { type: 'object', [shown]: true });
          const [call] = hooks.calls;
          assert.equal(call?.review['apiVersion'], `${understood.groups.admission.at(-1)}/v1`);
          const asked = understood.groups.apiextensions.at(-1);
          assert.equal(at(call?.request['kind'], 'group'), asked);
          assert.equal(at(call?.request['object'], 'apiVersion'), `${asked}/v1`);
          assert.equal(at(call?.request['options'], 'apiVersion'), `${understood.groups.meta.at(-1)}/v1`);
        }
      }
    });
  });
}
