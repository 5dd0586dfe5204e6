import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { type AdminServer, at, startAdminServer } from './admin-server.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const configuration = `
apiVersion: apiserver.config.cluster.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodNodeSelector
  configuration:
    podNodeSelectorPluginConfig:
      clusterDefaultNodeSelector: pool=general
- name: PodTolerationRestriction
  configuration:
    apiVersion: podtolerationrestriction.admission.cluster.io/v1alpha1
    kind: Configuration
    default:
    - {key: pool, operator: Equal, value: general, effect: NoSchedule}
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.cluster.io/v1
    kind: PodSecurityConfiguration
    defaults:
      enforce: baseline
      enforce-version: v1.26
`;

let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
let server: AdminServer;
before(async () => {
  directory = await createTemporaryDirectory();
  const admissionControlConfigFile = join(directory.path, 'admission.yaml');
  await writeFile(admissionControlConfigFile, configuration);
  server = await startAdminServer({
    admissionControlConfigFile,
    enableAdmissionPlugins: [
      'AlwaysPullImages',
      'ExtendedResourceToleration',
      'LimitPodHardAntiAffinityTopology',
      'PodNodeSelector',
      'PodTolerationRestriction',
      'SecurityContextDeny',
    ],
    disableAdmissionPlugins: ['ServiceAccount'],
    defaultNotReadyTolerationSeconds: 7,
  });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const pod = (name: string, container: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i:1', ...container }], ...spec },
});

test('plugins that are enabled together complete a pod', async () => {
  const namespace = await server.namespace();
  const resources = { limits: { 'example.com/gpu': '1' } };
  const created = await server.expect(201, 'POST', `${namespace}/pods`, { body: pod('p', { resources }) });
  assert.equal(at(created, 'spec', 'containers', 0, 'imagePullPolicy'), 'Always');
  assert.equal(at(created, 'spec', 'volumes'), undefined);
  assert.deepEqual(at(created, 'spec', 'nodeSelector'), { pool: 'general' });
  const lost = { operator: 'Exists', effect: 'NoExecute' };
  assert.deepEqual(at(created, 'spec', 'tolerations'), [
    { key: 'pool', operator: 'Equal', value: 'general', effect: 'NoSchedule' },
    { key: 'node.cluster.io/not-ready', ...lost, tolerationSeconds: 7 },
    { key: 'node.cluster.io/unreachable', ...lost, tolerationSeconds: 300 },
    { key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
  ]);
});

const zone = { labelSelector: {}, topologyKey: 'topology.cluster.io/zone' };
const refused: readonly (readonly [title: string, JsonObject])[] = [
  ['a user of its own', pod('p', { securityContext: { runAsUser: 1 } })],
  ['another node selector', pod('p', {}, { nodeSelector: { pool: 'special' } })],
  ['more than the default level', pod('p', {}, { hostPID: true })],
  [
    'a zone for itself',
    pod(
      'p',
      {},
      {
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [zone] } },
      },
    ),
  ],
];
for (const [title, body] of refused)
  test(`refused: a pod that wants ${title}`, async () => {
    const status = await server.expect(403, 'POST', `${await server.namespace()}/pods`, { body });
    assert.deepEqual(status['details'], { name: 'p', kind: 'pods' });
  });
