import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Binnaclectl, configMap } from './start-binnaclectl.ts';

/** Registers the tests of `describe`. */
export function registerDescribeTests(binnaclectl: Binnaclectl): void {
  const { run, succeed } = binnaclectl;
  const describe = (...args: string[]) => succeed(['describe', ...args, '-n', 'tour']);

  test('describe shows an object with its events', async () => {
    await succeed(['apply', '-f', '-'], configMap('told', '{one: "a\\nb"}', 'labels: {a: b, c: d}'));
    const uid = /uid: (\S+)/.exec(await succeed(['get', 'cm/told', '-n', 'tour', '-o', 'yaml']))?.[1];
    await succeed(
      ['apply', '-f', '-'],
      `apiVersion: v1
kind: Event
metadata: {name: told, namespace: tour}
involvedObject: {kind: ConfigMap, name: told, namespace: tour, uid: "${uid}"}
type: Normal
reason: Told
message: the crier told it
source: {component: crier}
`,
    );
    const metadata =
      'Name:         told\nNamespace:    tour\nLabels:       a=b\n              c=d\nAnnotations:  <none>\n';
    const data = '\nData\n====\none:\n----\na\nb\n\nBinaryData\n====\n\n';
    assert.equal(
      await describe('cm', 'told'),
      `${metadata}${data}Events:
  Type    Reason  Age        From   Message
  ----    ------  ----       ----   -------
  Normal  Told    <unknown>  crier  the crier told it
`,
    );
    assert.equal(await describe('cm/told', '--show-events=false'), metadata + data);
  });

  test('describe shows objects of any kind field by field', async () => {
    const text = await describe('deployment', 'shop');
    assert.match(
      text,
      /^Name: +shop\nNamespace: +tour\nLabels: +tier=front\nAnnotations: +<none>\nAPI Version: +apps\/v1\n/,
    );
    assert.match(text, /^Spec:\n {2}Progress Deadline Seconds: +600\n/m);
    assert.match(text, /^ {6}Containers:\n {8}Image: +shop\n/m);
    assert.match(text, /^Events: +<none>\n$/m);
    assert.doesNotMatch(text, /Managed Fields/);
    assert.match(await describe('deployment/shop', '--show-managed-fields'), /^ {2}Managed Fields:\n/m);
  });

  test('describe shows the sizes of the values of a secret, never the values', async () => {
    const token = `apiVersion: v1
kind: Secret
metadata: {name: told, namespace: tour, annotations: {cluster.io/service-account.name: default}}
type: cluster.io/service-account-token
stringData: {token: abracadabra, word: abc}
`;
    await succeed(['apply', '-f', '-'], token);
    const text = await describe('secret', 'told');
    assert.match(
      text,
      /\nType: +cluster\.io\/service-account-token\n\nData\n====\n[\s\S]*^word: +3 bytes\n/m,
    );
    assert.match(text, /^token: +\d+ bytes$/m);
    assert.doesNotMatch(text, /abracadabra|eyJ/);
    assert.match(await describe('sa', 'default'), /^Tokens: +told\nEvents: +<none>\n$/m);
  });

  test('describe shows a namespace with its quotas and limits', async () => {
    await succeed(
      ['apply', '-f', '-'],
      `apiVersion: v1
kind: Namespace
metadata: {name: limited}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: limited}
spec: {hard: {pods: "5"}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: l, namespace: limited}
spec: {limits: [{type: Pod, max: {cpu: "4"}, min: {memory: 1Mi}}]}
`,
    );
    const text = await describe('ns', 'limited');
    assert.match(
      text,
      /^Status: +Active\n\nResource Quotas\n {2}Name: +q\n {2}Resource +Used +Hard\n {2}-+ +--- +---\n/m,
    );
    assert.match(text, /^ Pod +cpu +- +4 +- +- +-\n Pod +memory +1Mi +- +- +- +-\n$/m);
    assert.match(
      await succeed(['describe', 'limits', '-n', 'limited']),
      /^Name: +l\nNamespace: +limited\nType +Resource/,
    );
    assert.match(
      await succeed(['describe', 'quota/q', '-n', 'limited']),
      /^Resource +Used +Hard\n-+ +---- +----\n/m,
    );
    await succeed(['delete', 'ns', 'limited', '--wait=false']);
  });

  test('describe shows the rules of roles and the subjects of bindings', async () => {
    assert.match(
      await describe('clusterrole', 'cluster-admin'),
      /^ {2}Resources +Non-Resource URLs +Resource Names +Verbs\n[- ]+\n {2}\*\.\* +\[\] +\[\] +\[\*\]\n {2} +\[\*\] +\[\] +\[\*\]\n$/m,
    );
    assert.match(
      await describe('clusterrolebinding', 'cluster-admin'),
      /^Role:\n {2}Kind: +ClusterRole\n {2}Name: +cluster-admin\nSubjects:\n {2}Kind +Name +Namespace\n[- ]+\n {2}Group +system:masters/m,
    );
  });

  test('describe accepts several objects, prefixes and selectors, and reports missing objects', async () => {
    await succeed(['apply', '-f', '-'], ['p-1', 'p-2'].map(name => configMap(name, '{}')).join('---\n'));
    assert.match(await describe('cm/p-1', 'cm/p-2'), /^Name: +p-1\n[\s\S]*<none>\n\n\nName: +p-2\n/);
    assert.match(await describe('cm', 'p-'), /^Name: +p-1\n[\s\S]*<none>\n\nName: +p-2\n[\s\S]*<none>\n\n$/);
    assert.match(await describe('deploy,cm', '-l', 'tier=front'), /^Name: +shop\n[\s\S]*^Name: +settings\n/m);
    const part = await run(['describe', 'cm', 'p-1', 'none', '-n', 'tour']);
    assert.equal(part.code, 1);
    assert.match(part.out, /^Name: +p-1\n/);
    assert.equal(part.err, 'Error from server (NotFound): configmaps "none" not found\n');
    const absent = await run(['describe', 'cm', 'none', '-n', 'tour']);
    assert.deepEqual([absent.code, absent.err], [1, part.err]);
    const nothing = await run(['describe', 'cm', '-l', 'no=body', '-n', 'tour']);
    assert.deepEqual(nothing, { code: 0, out: '', err: 'No resources found in tour namespace.\n' });
    const wrong = await run(['describe']);
    assert.match(wrong.err, /^error: You must specify the type of resource to describe\n/);
  });

  test('describe works without permission to read events, and says so', async () => {
    await succeed(
      ['apply', '-f', '-'],
      `apiVersion: rbac.authorization.cluster.io/v1
kind: Role
metadata: {name: teller, namespace: tour}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [get]}]
---
apiVersion: rbac.authorization.cluster.io/v1
kind: RoleBinding
metadata: {name: teller, namespace: tour}
roleRef: {apiGroup: rbac.authorization.cluster.io, kind: Role, name: teller}
subjects: [{apiGroup: rbac.authorization.cluster.io, kind: User, name: teller}]
`,
    );
    const { code, out, err } = await run(['describe', 'cm/settings', '-n', 'tour', '--as', 'teller']);
    assert.equal(code, 0);
    assert.match(out, /^colour:\n----\nblue\n/m);
    assert.doesNotMatch(out, /Events/);
    assert.match(err, /^Warning: events cannot be read: Error from server \(Forbidden\)/);
  });
}
