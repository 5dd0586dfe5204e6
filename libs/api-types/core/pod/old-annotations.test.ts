import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create, update } from '../../test-drivers/process.ts';

/** Pod annotations that became fields: seccomp profiles and tolerations. */

const domains = ['kubernetes.io', 'cluster.io'];
const spec = {
  initContainers: [{ name: 'i', image: 'i' }],
  containers: [
    { name: 'c', image: 'i' },
    { name: 'd', image: 'i' },
  ],
};

interface Profile {
  readonly securityContext?: { readonly seccompProfile?: object };
}

const readProfile = (holder: Profile | undefined) => holder?.securityContext?.seccompProfile;

function profiles(object: object) {
  const { spec } = object as { spec: Profile & { containers: Profile[]; initContainers: Profile[] } };
  const all = { pod: spec, i: spec.initContainers[0], c: spec.containers[0], d: spec.containers[1] };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, holder]) => {
      const profile = readProfile(holder);
      return profile === undefined ? [] : [[name, profile]];
    }),
  );
}

describe('seccomp annotations', () => {
  for (const domain of domains) {
    const ofPod = `seccomp.security.alpha.${domain}/pod`;
    const of = (container: string) => `container.seccomp.security.alpha.${domain}/${container}`;
    const runtimeDefault = { type: 'RuntimeDefault' };
    const local = { type: 'Localhost', localhostProfile: 'profiles/x.json' };
    const rows: readonly (readonly [string, Record<string, string>, Record<string, object>])[] = [
      ['none', {}, {}],
      ['runtime/default', { [ofPod]: 'runtime/default' }, { pod: runtimeDefault }],
      ['docker/default', { [ofPod]: 'docker/default' }, { pod: runtimeDefault }],
      ['unconfined', { [ofPod]: 'unconfined' }, { pod: { type: 'Unconfined' } }],
      ['a file of the node', { [ofPod]: 'localhost/profiles/x.json' }, { pod: local }],
      [
        'containers of each kind',
        { [of('c')]: 'localhost/profiles/x.json', [of('i')]: 'unconfined', [of('other')]: 'unconfined' },
        { c: local, i: { type: 'Unconfined' } },
      ],
      [
        'pod and container',
        { [ofPod]: 'unconfined', [of('d')]: 'runtime/default' },
        { pod: { type: 'Unconfined' }, d: runtimeDefault },
      ],
    ];
    for (const [what, annotations, expected] of rows) {
      test(`${domain}, ${what}: a new pod gets its seccomp profiles from its annotations`, () => {
        const { object, findings } = create('pods', { metadata: { annotations }, spec });
        assert.deepEqual(findings, []);
        assert.deepEqual(profiles(object), expected);
        assert.deepEqual(object.metadata.annotations ?? {}, annotations, 'they stay as they are');
      });

      test(`${domain}, ${what}: an update sets no profile from annotations`, () => {
        const old = create('pods', { spec }).object;
        const changed = structuredClone(old);
        changed.metadata.annotations = annotations;
        const { object, findings } = update('pods', changed as never, { old });
        assert.deepEqual(findings, []);
        assert.deepEqual(profiles(object), {});
      });

      test(`${domain}, ${what}: the pods of a template get no profiles from annotations`, () => {
        const template = { metadata: { labels: { app: 'x' }, annotations }, spec };
        const { object } = create('deployments', {
          spec: { selector: { matchLabels: { app: 'x' } }, template },
        });
        const { template: stored } = object['spec'] as unknown as { template: object };
        assert.deepEqual(profiles(stored), {});
      });
    }

    test(`${domain}: profiles in fields set no annotations`, () => {
      const securityContext = { seccompProfile: { type: 'RuntimeDefault' } };
      const { object } = create('pods', { spec: { ...spec, securityContext } });
      assert.equal(object.metadata.annotations, undefined);
    });

    const withProfile = (seccompProfile: object) => ({
      securityContext: { seccompProfile },
      containers: [{ name: 'c', image: 'i', securityContext: { seccompProfile } }],
    });
    const pod = 'spec.securityContext.seccompProfile';
    const container = 'spec.containers[0].securityContext.seccompProfile';
    for (const [what, profile, value, findings] of [
      ['the same', runtimeDefault, 'docker/default', []],
      ['the same file', local, 'localhost/profiles/x.json', []],
      [
        'another type',
        runtimeDefault,
        'unconfined',
        [`Forbidden ${pod}.type`, `Forbidden ${container}.type`],
      ],
      [
        'another file',
        local,
        'localhost/y',
        [`Forbidden ${pod}.localhostProfile`, `Forbidden ${container}.localhostProfile`],
      ],
    ] as const)
      test(`${domain}: an annotation beside fields with ${what}`, () => {
        const annotations = { [ofPod]: value, [of('c')]: value };
        const created = create('pods', { metadata: { annotations }, spec: withProfile(profile) });
        assert.deepEqual(created.findings, findings);
        const old = create('pods', { spec: withProfile(profile) }).object;
        const changed = structuredClone(old);
        changed.metadata.annotations = annotations;
        assert.deepEqual(update('pods', changed as never, { old }).findings, [], 'at creation alone');
      });
  }
});

describe('the annotation of tolerations', () => {
  for (const domain of domains) {
    const key = `scheduler.alpha.${domain}/tolerations`;
    const at = `metadata.annotations.${key}`;
    const rows: readonly (readonly [value: string, findings: readonly string[]])[] = [
      ['', []],
      ['null', []],
      ['[]', []],
      ['[null]', [`Invalid ${at}[0].operator`]],
      ['[{"key":"a","operator":"Equal","value":"b","effect":"NoSchedule"}]', []],
      ['[{"Key":"a","OPERATOR":"Exists","effect":"NoExecute","tolerationSeconds":5,"other":1}]', []],
      ['{}', ['Invalid metadata.annotations']],
      ['x', ['Invalid metadata.annotations']],
      ['[1]', ['Invalid metadata.annotations']],
      ['[{"key":1}]', ['Invalid metadata.annotations']],
      ['[{"key":"a","tolerationSeconds":1.5}]', ['Invalid metadata.annotations']],
      ['[{"key":"a","tolerationSeconds":"1"}]', ['Invalid metadata.annotations']],
      ['[{"key":"a b"}]', [`Invalid ${at}[0].key`]],
      ['[{"operator":"Equal"}]', [`Invalid ${at}[0].operator`]],
      ['[{"key":"a","operator":"Exists","value":"b"}]', [`Invalid ${at}[0].operator`]],
      ['[{"key":"a","operator":"In"}]', [`NotSupported ${at}[0].operator`]],
      ['[{"key":"a"},{"key":"a","effect":"Never"}]', [`NotSupported ${at}[1].effect`]],
      ['[{"key":"a","effect":"NoSchedule","tolerationSeconds":1}]', [`Invalid ${at}[0].effect`]],
    ];
    for (const [value, findings] of rows)
      test(`${domain}: ${value || 'nothing'}`, () => {
        const annotations = { [key]: value };
        const created = create('pods', { metadata: { annotations }, spec });
        assert.deepEqual(created.findings, findings);
        assert.equal((created.object['spec'] as { tolerations?: unknown }).tolerations, undefined);
      });
  }
});
