import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { findFreePort, type ManagedProcess, pollUntil, startManagedProcess } from '@binnacle/backends';
import { writeClientConfiguration } from '@binnacle/client';
import { createPki, loadTls, pkiPaths } from '@binnacle/tls';
import { startStandaloneForm } from '../conformance/standalone-form.ts';
import { createKubectl } from '../journeys/kubectl/kubectl.ts';
import { programDirectory } from './client-programs.ts';
import { type FormOfTests, formOfTests } from './client-tours.ts';
import { signingRequest } from './signing-request.ts';

const components = ['kube-controller-manager', 'kube-scheduler'] as const;
const programFile = (component: (typeof components)[number]) =>
  join(programDirectory('control-plane'), component);
const missing = components.find(component => !existsSync(programFile(component)));

const namespace = 'plane';
const pods = (app: string) =>
  `{metadata: {labels: {app: ${app}}}, spec: {containers: [{name: a, image: a}]}}`;
const workloads = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: ${pods('web')}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: store}
spec: {serviceName: store, selector: {matchLabels: {app: store}}, template: ${pods('store')}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec: {selector: {matchLabels: {app: agent}}, template: ${pods('agent')}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: all}
spec: {hard: {pods: "20"}}
---
apiVersion: v1
kind: Secret
metadata: {name: account-token, annotations: {kubernetes.io/service-account.name: default}}
type: kubernetes.io/service-account-token
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;
const clusterWide = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: plane-part, labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}}
rules: [{apiGroups: [plane.example.com], resources: [parts], verbs: [get]}]
---
apiVersion: v1
kind: Secret
metadata: {name: bootstrap-token-abcdef, namespace: kube-system}
type: bootstrap.kubernetes.io/token
stringData: {token-id: abcdef, token-secret: 0123456789abcdef, usage-bootstrap-signing: "true"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cluster-info, namespace: kube-public}
data: {kubeconfig: "{}"}
`;

describe(
  'kube-controller-manager and kube-scheduler of the release, with all controllers and their own rights',
  missing === undefined
    ? {}
    : { skip: `${missing} is not there: node tests/clients/install.ts control-plane builds it` },
  () => {
    const running: ManagedProcess[] = [];
    // They end before the server does.
    after(async () => {
      for (const component of running) await component.stop();
    });
    // Every controller is theirs.
    const form = formOfTests(startStandaloneForm, { 'api-names': 'kubernetes', controllers: '' });
    const kubectl = () => createKubectl(form().configuration, join(form().directory, 'plane-cache'));
    const steps: Steps = {
      output: async (...args) => (await kubectl().run(['-n', namespace, ...args])).stdout,
      apply: async (input, within = ['-n', namespace]) =>
        (await kubectl().run([...within, 'apply', '-f', '-'], { input })).stdout,
      becomes: (object, path, wanted) =>
        pollUntil(`${path} of ${object.join(' ')} is ${wanted}`, async () => {
          const { stdout } = await kubectl().attempt([
            '-n',
            namespace,
            'get',
            ...object,
            '-o',
            `jsonpath={${path}}`,
          ]);
          return wanted.test(stdout);
        }),
      setStatus: (path, status) =>
        pollUntil(`the status of ${path}`, async () => {
          const object: { status?: object } = JSON.parse(await steps.output('get', '--raw', path));
          const { code, stderr } = await kubectl().attempt(
            ['replace', '--raw', `${path}/status`, '-f', '-'],
            {
              input: JSON.stringify({ ...object, status: { ...object.status, ...status } }),
            },
          );
          // A controller may have written the object meanwhile.
          assert.ok(code === 0 || stderr.includes('(Conflict)'), stderr);
          return code === 0;
        }),
    };
    before(async () => {
      running.push(...(await startControlPlane(form())));
      await steps.output('create', 'namespace', namespace);
    });

    registerControllerTests(steps);
    test('no request of them was refused', async () => {
      for (const component of running) {
        const lines = (await readFile(component.logFile, 'utf8')).split('\n');
        const refused = /forbidden|could not find the requested resource|no matches for|[Uu]nauthorized/;
        assert.deepEqual(
          lines.filter(line => refused.test(line) && !isBeforeNamespaceEnds(line)),
          [],
        );
      }
    });
  },
);

/** Commands of an administrator in the namespace of the tests. */
interface Steps {
  /** Runs kubectl and gives what it prints. */
  output(...args: string[]): Promise<string>;
  /** Applies manifests, in the namespace of the tests unless other arguments are given. */
  apply(input: string, within?: readonly string[]): Promise<string>;
  /** Waits until a field of an object matches. */
  becomes(object: string[], path: string, wanted: RegExp): Promise<void>;
  /** Writes fields of an object's status, as a kubelet does. */
  setStatus(path: string, status: object): Promise<void>;
}

/** A controller that creates objects in a namespace while it ends is refused, with kube-apiserver too. */
const isBeforeNamespaceEnds = (line: string): boolean => line.includes('because it is being terminated');

function registerControllerTests({ output, apply, becomes, setStatus }: Steps): void {
  const podPath = `/api/v1/namespaces/${namespace}/pods`;
  const listPods = async (selector: string): Promise<string[]> =>
    (await output('get', 'pods', '-l', selector, '-o', 'jsonpath={.items[*].metadata.name}'))
      .split(' ')
      .filter(Boolean);

  test('both hold their leases in kube-system', async () => {
    for (const component of components)
      await becomes(['lease', component, '--namespace=kube-system'], '.spec.holderIdentity', /./);
  });

  test('a namespace has a default account and the certificate authority of the server', async () => {
    await becomes(['serviceaccount', 'default'], '.metadata.name', /^default$/);
    await becomes(['configmap', 'kube-root-ca.crt'], '.data.ca\\.crt', /BEGIN CERTIFICATE/);
  });

  test('workloads of every kind get pods, which are bound to a node', async () => {
    await apply('{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "plane"}}');
    const now = new Date().toISOString().replace(/\.\d+Z/, 'Z');
    const condition = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' };
    await setStatus('/api/v1/nodes/plane', {
      capacity: { cpu: '8', memory: '16Gi', pods: '50' },
      allocatable: { cpu: '8', memory: '16Gi', pods: '50' },
      conditions: [{ ...condition, lastHeartbeatTime: now, lastTransitionTime: now }],
    });
    await becomes(['node', 'plane'], '.spec.taints', /^$/);
    await apply(workloads);
    for (const [selector, wanted] of [
      ['app=web', 2],
      ['app=store', 1],
      ['app=agent', 1],
      ['job-name=once', 1],
    ] as const) {
      await pollUntil(
        `${wanted} pods of ${selector}`,
        async () => (await listPods(selector)).length === wanted,
      );
      for (const pod of await listPods(selector)) await becomes(['pod', pod], '.spec.nodeName', /^plane$/);
    }
  });

  test('running pods make their workloads available, and are in the endpoints of their service', async () => {
    const conditions = ['Ready', 'ContainersReady', 'Initialized', 'PodScheduled'].map(type => ({
      type,
      status: 'True',
    }));
    const startTime = new Date().toISOString();
    for (const [index, pod] of (await listPods('app=web')).entries()) {
      const podIP = `10.1.0.${index + 1}`;
      await setStatus(`${podPath}/${pod}`, {
        phase: 'Running',
        startTime,
        podIP,
        podIPs: [{ ip: podIP }],
        conditions,
      });
    }
    await becomes(['deployment', 'web'], '.status.conditions[?(@.type=="Available")].status', /^True$/);
    await becomes(['endpoints', 'web'], '.subsets[*].addresses[*].ip', /^10\.1\.0\.1 10\.1\.0\.2$/);
    await becomes(
      ['endpointslices', '--selector=kubernetes.io/service-name=web'],
      '.items[*].metadata.labels.endpointslice\\.kubernetes\\.io/managed-by',
      /^endpointslice-controller.k8s.io$/,
    );
    await becomes(['pdb', 'web'], '.status.disruptionsAllowed', /^1$/);
    await becomes(['resourcequota', 'all'], '.status.used.pods', /^[45]$/);
  });

  test('a job is complete when its pods have succeeded', async () => {
    const [pod = ''] = await listPods('job-name=once');
    await setStatus(`${podPath}/${pod}`, { phase: 'Succeeded' });
    await becomes(['job', 'once'], '.status.conditions[?(@.type=="Complete")].status', /^True$/);
    await becomes(['pod', pod], '.metadata.finalizers', /^$/);
  });

  test('token secrets, certificate signing requests, aggregated roles and cluster-info are completed', async () => {
    await becomes(['secret', 'account-token'], '.data.token', /./);
    await apply(clusterWide, []);
    await becomes(['clusterrole', 'view'], '.rules[*].apiGroups', /plane\.example\.com/);
    await becomes(
      ['configmap', 'cluster-info', '--namespace=kube-public'],
      '.data.jws-kubeconfig-abcdef',
      /./,
    );
    await apply(signingRequest('plane', 'kubernetes.io/kube-apiserver-client'));
    await output('certificate', 'approve', 'plane');
    await becomes(['csr', 'plane'], '.status.certificate', /./);
  });

  test('an unused claim, and a namespace with all its content, are deleted', async () => {
    await becomes(['pvc', 'data'], '.metadata.finalizers', /kubernetes\.io\/pvc-protection/);
    await output('delete', 'pvc', 'data', '--timeout=30s');
    // There is no kubelet that ends them.
    await output('delete', 'pods', '--all', '--force', '--grace-period=0', '--wait=false');
    await output('delete', 'deployments,statefulsets,daemonsets,jobs', '--all', '--wait=false');
    await output('delete', 'namespace', namespace, '--wait=false');
    await pollUntil('the namespace is gone', async () => {
      for (const pod of await listPods(''))
        await output('delete', 'pod', pod, '--force', '--ignore-not-found', '--wait=false');
      return (await output('get', 'namespace', namespace, '--ignore-not-found')) === '';
    });
  });
}

/** Starts both with certificates of the users that the default roles are for. No flag names a namespace. */
async function startControlPlane({ form, directory }: FormOfTests): Promise<ManagedProcess[]> {
  const pkiDirectory = join(form.dataDirectory, 'pki');
  const clients = components.map(name => ({ name, commonName: `system:${name}` }));
  await createPki(pkiDirectory, { clients });
  const { caFile, serviceAccountKeyFile, clientDirectory } = pkiPaths(pkiDirectory);
  const ofControllers = [
    ...['--controllers=*,bootstrapsigner,tokencleaner', '--use-service-account-credentials'],
    ...[`--root-ca-file=${caFile}`, `--service-account-private-key-file=${serviceAccountKeyFile}`],
    ...[
      `--cluster-signing-cert-file=${caFile}`,
      `--cluster-signing-key-file=${join(pkiDirectory, 'ca.key')}`,
    ],
    `--flex-volume-plugin-dir=${join(directory, 'plugins')}`,
  ];
  return Promise.all(
    components.map(async component => {
      const { ca, cert, key } = await loadTls(clientDirectory(component));
      const configuration = join(directory, `${component}.conf`);
      const servers = [form.gateways[0] ?? ''];
      await writeClientConfiguration(
        configuration,
        { servers, certificateAuthority: ca, clientCertificate: cert, clientKey: key },
        { cluster: 'a', user: component },
      );
      const port = await findFreePort();
      const of = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'];
      return startManagedProcess({
        name: component,
        command: programFile(component),
        arguments: [
          ...of.map(flag => `--${flag}=${configuration}`),
          ...[
            `--secure-port=${port}`,
            '--bind-address=127.0.0.1',
            `--cert-dir=${join(directory, component)}`,
          ],
          ...(component === 'kube-controller-manager' ? ofControllers : []),
        ],
        logFile: join(directory, `${component}.log`),
      });
    }),
  );
}
