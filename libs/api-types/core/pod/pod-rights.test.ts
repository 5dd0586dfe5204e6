import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, everyGate } from '../../test-drivers/process.ts';

const container = { name: 'c', image: 'i:1' };
const ofPod = (securityContext: object, spec: object = {}) => ({
  containers: [container],
  securityContext,
  ...spec,
});
const ofContainer = (securityContext: object, spec: object = {}) => ({
  containers: [{ ...container, securityContext }],
  ...spec,
});
const pod$ = 'spec.securityContext';
const c$ = 'spec.containers[0].securityContext';
const seccomp = (profile: object) => ofPod({ seccompProfile: profile });
const windowsUser = (runAsUserName: string) => ofContainer({ windowsOptions: { runAsUserName } });
const user$ = `${c$}.windowsOptions.runAsUserName`;
const hostProcess = { windowsOptions: { hostProcess: true } };

const cases: readonly [spec: object, findings: readonly string[]][] = [
  [ofPod({ runAsUser: -1 }), [`Invalid ${pod$}.runAsUser`]],
  [ofPod({ runAsGroup: -1 }), [`Invalid ${pod$}.runAsGroup`]],
  [ofPod({ fsGroup: 2 ** 31 }), [`Invalid ${pod$}.fsGroup`]],
  [ofPod({ supplementalGroups: [1, -1] }), [`Invalid ${pod$}.supplementalGroups[1]`]],
  [ofPod({ fsGroupChangePolicy: 'Never' }), [`NotSupported ${pod$}.fsGroupChangePolicy`]],
  [ofPod({}, { shareProcessNamespace: true, hostPID: true }), [`Invalid ${pod$}.shareProcessNamespace`]],
  [ofPod({ sysctls: [{ name: 'net.ipv4/tcp_syncookies', value: '1' }] }), []],
  [ofPod({ sysctls: [{ name: '', value: '1' }] }), [`Required ${pod$}.sysctls[0].name`]],
  [ofPod({ sysctls: [{ name: 'a..b', value: '1' }] }), [`Invalid ${pod$}.sysctls[0].name`]],
  [
    ofPod({
      sysctls: [
        { name: 'a/b', value: '1' },
        { name: 'a.b', value: '1' },
      ],
    }),
    [],
  ],
  [
    ofPod({
      sysctls: [
        { name: 'a.b', value: '1' },
        { name: 'a.b', value: '2' },
      ],
    }),
    [`Duplicate ${pod$}.sysctls[1].name`],
  ],
  [seccomp({ type: 'RuntimeDefault' }), []],
  [seccomp({ type: '' }), [`Required ${pod$}.seccompProfile.type`]],
  [seccomp({ type: 'Any' }), [`NotSupported ${pod$}.seccompProfile.type`]],
  [seccomp({ type: 'Localhost' }), [`Required ${pod$}.seccompProfile.localhostProfile`]],
  [
    seccomp({ type: 'Localhost', localhostProfile: '/x' }),
    [`Invalid ${pod$}.seccompProfile.localhostProfile`],
  ],
  [
    seccomp({ type: 'Localhost', localhostProfile: 'a/../x' }),
    [`Invalid ${pod$}.seccompProfile.localhostProfile`],
  ],
  [
    seccomp({ type: 'Unconfined', localhostProfile: 'x' }),
    [`Invalid ${pod$}.seccompProfile.localhostProfile`],
  ],
  [ofContainer({ runAsUser: -1, runAsGroup: -1 }), [`Invalid ${c$}.runAsUser`, `Invalid ${c$}.runAsGroup`]],
  [ofContainer({ procMount: 'Some' }), [`NotSupported ${c$}.procMount`]],
  [ofContainer({ allowPrivilegeEscalation: false, privileged: true }), [`Invalid ${c$}`]],
  [
    ofContainer({ allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] } }),
    [`Invalid ${c$}`],
  ],
  [ofContainer({ allowPrivilegeEscalation: true, privileged: true }), []],
  [ofContainer({ seccompProfile: { type: '' } }), [`Required ${c$}.seccompProfile.type`]],
  [windowsUser('NT AUTHORITY\\x'), []],
  [windowsUser('a:b\\x'), [`Invalid ${user$}`]],
  [windowsUser('a\\'), [`Invalid ${user$}`]],
  [windowsUser('DOMAIN\\Some One'), []],
  [windowsUser(''), [`Invalid ${user$}`]],
  [windowsUser('a\\b\\c'), [`Invalid ${user$}`]],
  [windowsUser('a\u0007b'), [`Invalid ${user$}`]],
  [windowsUser('..'), [`Invalid ${user$}`]],
  [windowsUser('a@b'), [`Invalid ${user$}`]],
  [
    ofContainer({ windowsOptions: { gmsaCredentialSpecName: 'A', gmsaCredentialSpec: '' } }),
    [
      `Invalid ${c$}.windowsOptions.gmsaCredentialSpecName`,
      `Invalid ${c$}.windowsOptions.gmsaCredentialSpec`,
    ],
  ],
  [ofPod(hostProcess, { hostNetwork: true }), []],
  [ofPod(hostProcess), ['Invalid spec.hostNetwork']],
  [
    {
      containers: [
        { ...container, securityContext: hostProcess },
        { ...container, name: 'd' },
      ],
      hostNetwork: true,
    },
    ['Invalid spec'],
  ],
  [{ ...ofPod({}), os: { name: 'linux' } }, []],
  [{ ...ofPod({}), os: { name: '' } }, ['Required spec.os.name']],
  [{ ...ofPod({}), os: { name: 'plan9' } }, ['NotSupported spec.os']],
  [{ ...ofPod({ runAsUser: 1 }), os: { name: 'windows' } }, [`Forbidden ${pod$}.runAsUser`]],
  [{ ...ofPod({}), hostPID: true, os: { name: 'windows' } }, ['Forbidden spec.hostPID']],
  [{ ...ofContainer({ privileged: true }), os: { name: 'windows' } }, [`Forbidden ${c$}.privileged`]],
  [{ ...windowsUser('u'), os: { name: 'linux' } }, [`Forbidden ${c$}.windowsOptions`]],
  [{ ...ofPod({}), overhead: { cpu: '-1' } }, ['Invalid spec.overhead.limits[cpu]']],
];

describe('the rights of pods', () => {
  for (const [spec, findings] of cases)
    it(`with ${JSON.stringify(spec)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('pods', { spec }, everyGate).findings, findings));
});
