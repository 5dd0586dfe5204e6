import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import type { Level, LevelVersion } from './checks/level-version.ts';
import { evaluatePod } from './evaluate-pod.ts';

const ofPod = (securityContext: JsonObject): JsonObject => ({ securityContext });
const ofContainer = (securityContext: JsonObject): JsonObject => ({
  containers: [{ name: 'c', securityContext }],
});
const listRules = (
  level: Level,
  spec: JsonObject,
  more: { readonly version?: LevelVersion['version']; readonly annotations?: Record<string, string> } = {},
) => {
  const { version = 'latest', annotations = {} } = more;
  const complete = { containers: [{ name: 'c' }], ...spec };
  return evaluatePod({ level, version }, { metadata: { annotations }, spec: complete }).map(
    ({ rule }) => rule,
  );
};

/** A pod that meets all demands of `restricted`. */
const good = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

const baseline: readonly (readonly [spec: JsonObject, rule: string | undefined])[] = [
  [{}, undefined],
  [{ hostNetwork: true }, 'host namespaces'],
  [{ hostPID: true, hostIPC: true }, 'host namespaces'],
  [{ volumes: [{ name: 'v', hostPath: { path: '/' } }] }, 'hostPath volumes'],
  [{ volumes: [{ name: 'v', nfs: { server: 's', path: '/' } }] }, undefined],
  [{ containers: [{ name: 'c', ports: [{ containerPort: 1, hostPort: 1 }] }] }, 'hostPort'],
  [{ containers: [{ name: 'c', ports: [{ containerPort: 1, hostPort: 0 }] }] }, undefined],
  [ofContainer({ privileged: true }), 'privileged'],
  [{ initContainers: [{ name: 'i', securityContext: { privileged: true } }] }, 'privileged'],
  [{ ephemeralContainers: [{ name: 'e', securityContext: { privileged: true } }] }, 'privileged'],
  [ofContainer({ capabilities: { add: ['CHOWN', 'NET_BIND_SERVICE'] } }), undefined],
  [ofContainer({ capabilities: { add: ['NET_RAW'] } }), 'non-default capabilities'],
  [ofContainer({ procMount: 'Unmasked' }), 'procMount'],
  [ofContainer({ procMount: 'Default' }), undefined],
  [ofPod({ seLinuxOptions: { type: 'spc_t' } }), 'seLinuxOptions'],
  [ofPod({ seLinuxOptions: { type: 'container_t', level: 's0' } }), undefined],
  [ofContainer({ seLinuxOptions: { user: 'u' } }), 'seLinuxOptions'],
  [ofContainer({ seLinuxOptions: { role: 'r' } }), 'seLinuxOptions'],
  [ofPod({ seccompProfile: { type: 'Unconfined' } }), 'seccompProfile'],
  [ofContainer({ seccompProfile: { type: 'Unconfined' } }), 'seccompProfile'],
  [ofContainer({ seccompProfile: { type: 'Localhost' } }), undefined],
  [ofPod({ sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }] }), undefined],
  [ofPod({ sysctls: [{ name: 'kernel.msgmax', value: '1' }] }), 'forbidden sysctls'],
  [ofPod({ windowsOptions: { hostProcess: true } }), 'hostProcess'],
  [ofContainer({ windowsOptions: { hostProcess: true } }), 'hostProcess'],
];
for (const [spec, rule] of baseline)
  test(`baseline ${rule ? `is broken (${rule})` : 'permits'}: ${JSON.stringify(spec)}`, () => {
    assert.deepEqual(listRules('baseline', spec), rule === undefined ? [] : [rule]);
    assert.deepEqual(listRules('privileged', spec), []);
  });

const profile = 'container.apparmor.security.beta.cluster.io/c';
for (const [value, rules] of [
  ['runtime/default', []],
  ['localhost/mine', []],
  ['', []],
  ['unconfined', ['forbidden AppArmor profile']],
] as const)
  test(`baseline and the AppArmor profile ${JSON.stringify(value)}`, () => {
    assert.deepEqual(listRules('baseline', {}, { annotations: { [profile]: value } }), rules);
  });

const restricted: readonly (readonly [change: JsonObject, spec: JsonObject, rules: readonly string[]])[] = [
  [{}, {}, []],
  [{ allowPrivilegeEscalation: true }, {}, ['allowPrivilegeEscalation != false']],
  [{ capabilities: {} }, {}, ['unrestricted capabilities']],
  [{ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }, {}, []],
  [{ capabilities: { drop: ['ALL'], add: ['CHOWN'] } }, {}, ['unrestricted capabilities']],
  [{ capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } }, {}, ['unrestricted capabilities']],
  [{ runAsNonRoot: false }, ofPod({ runAsNonRoot: true }), ['runAsNonRoot != true']],
  [{ runAsNonRoot: null }, {}, ['runAsNonRoot != true']],
  [{ runAsNonRoot: null }, ofPod({ runAsNonRoot: true }), []],
  [{}, ofPod({ runAsNonRoot: false }), ['runAsNonRoot != true']],
  [{ runAsUser: 0 }, {}, ['runAsUser=0']],
  [{ runAsUser: 1 }, ofPod({ runAsUser: 0 }), ['runAsUser=0']],
  [{ seccompProfile: { type: 'Unconfined' } }, {}, ['seccompProfile']],
  [{ seccompProfile: null }, {}, ['seccompProfile']],
  [{ seccompProfile: null }, ofPod({ seccompProfile: { type: 'Localhost' } }), []],
  [{}, { volumes: [{ name: 'v', hostPath: { path: '/' } }] }, ['restricted volume types']],
  [{}, { volumes: [{ name: 'v', nfs: { server: 's', path: '/' } }] }, ['restricted volume types']],
  [
    {},
    {
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'w', projected: {} },
      ],
    },
    [],
  ],
  [{}, { hostNetwork: true }, ['host namespaces']],
];
for (const [change, spec, rules] of restricted)
  test(`restricted: ${JSON.stringify(change)} in ${JSON.stringify(spec)}: ${rules.join(', ') || 'permitted'}`, () => {
    assert.deepEqual(listRules('restricted', { ...ofContainer({ ...good, ...change }), ...spec }), rules);
  });

test('restricted lists the missing settings of an ordinary pod in a fixed order', () => {
  assert.deepEqual(listRules('restricted', {}), [
    'allowPrivilegeEscalation != false',
    'unrestricted capabilities',
    'runAsNonRoot != true',
    'seccompProfile',
  ]);
});

test('a level has the rules of the release that it names', () => {
  const everything =
    'allowPrivilegeEscalation != false,unrestricted capabilities,runAsNonRoot != true,seccompProfile';
  for (const [version, rules] of [
    [7, 'runAsNonRoot != true'],
    [8, 'allowPrivilegeEscalation != false,runAsNonRoot != true'],
    [19, 'allowPrivilegeEscalation != false,runAsNonRoot != true,seccompProfile'],
    [22, everything],
    [99, everything],
  ] as const)
    assert.equal(listRules('restricted', {}, { version }).join(), rules);
  const root = ofContainer({ ...good, runAsUser: 0 });
  assert.deepEqual(listRules('restricted', root, { version: 22 }), []);
  assert.deepEqual(listRules('restricted', root, { version: 23 }), ['runAsUser=0']);
});

test('releases before 1.19 read the seccomp profile from annotations', () => {
  const annotations = { 'seccomp.security.alpha.cluster.io/pod': 'unconfined' };
  assert.deepEqual(listRules('baseline', {}, { version: 18, annotations }), ['seccompProfile']);
  assert.deepEqual(listRules('baseline', {}, { version: 19, annotations }), []);
  const underBoth = {
    'seccomp.security.alpha.cluster.io/pod': 'runtime/default',
    'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
  };
  assert.deepEqual(listRules('baseline', {}, { version: 18, annotations: underBoth }), ['seccompProfile']);
  const confined = { 'container.seccomp.security.alpha.cluster.io/c': 'runtime/default' };
  assert.deepEqual(listRules('baseline', {}, { version: 18, annotations: confined }), []);
});

test('rules without a meaning on Windows do not apply to Windows pods since 1.25', () => {
  const spec = { os: { name: 'windows' }, ...ofPod({ runAsNonRoot: true }) };
  assert.deepEqual(listRules('restricted', spec), []);
  assert.equal(listRules('restricted', spec, { version: 24 }).length, 3);
});
