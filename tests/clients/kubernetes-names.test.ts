import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { executableOnPath, findFreePort, pollUntil, startManagedProcess } from '@binnacle/backends';
import { startStandaloneForm } from '../conformance/standalone-form.ts';
import { createKubectl } from '../journeys/kubectl/kubectl.ts';
import { registerBareNamesTour } from './bare-names-tour.ts';
import { clientPrograms, missingTool } from './client-programs.ts';
import {
  type FormOfTests,
  formOfTests,
  goProgram,
  optionalTest,
  runPythonTour,
  runTour,
} from './client-tours.ts';

describe('unmodified programs on a server with the names of Kubernetes', () => {
  const form = formOfTests(startStandaloneForm, {
    'api-names': 'kubernetes',
    // One of a network that is for examples: nothing is sent to it, and the service of the API has endpoints.
    'advertise-address': '192.0.2.1',
  });
  optionalTest('python', "Python's dynamic client finds kinds by their names alone", () =>
    runPythonTour(form(), 'python-bare', 'bare-kinds'),
  );
  registerBareNamesTour("Debian's kubectl", {
    name: 'debian',
    release: '1.20',
    kubectl: () => createKubectl(form().configuration, join(form().directory, 'debian-cache')),
  });
  if (missingTool(clientPrograms.go) === undefined) {
    registerBareNamesTour('kubectl of the release', {
      name: 'release',
      release: '1.26',
      kubectl: () =>
        createKubectl(form().configuration, join(form().directory, 'release-cache'), goProgram('kubectl')),
    });
    test('a token that kubectl creates is accepted', () => createTokens(form()));
    test('kube-state-metrics reads every kind that it supports', () => readStateMetrics(form()));
    test(
      'a manager in a pod of kube-system runs with its defaults',
      executableOnPath('unshare') === undefined ? { skip: 'unshare is not installed' } : {},
      () => runInCluster(form()),
    );
  }
});

async function createTokens({ configuration, directory, form }: FormOfTests): Promise<void> {
  const kubectl = createKubectl(configuration, join(directory, 'tokens-cache'), goProgram('kubectl'));
  await kubectl.run(['-n', 'default', 'create', 'serviceaccount', 'caller']);
  const { stdout: token } = await kubectl.run([
    '-n',
    'default',
    'create',
    'token',
    'caller',
    '--duration=20m',
  ]);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  assert.equal(claims.iss, 'https://kubernetes.default.svc.cluster.local');
  assert.equal(claims['kubernetes.io'].serviceaccount.name, 'caller');
  const own = ['--kubeconfig=/dev/null', `--server=${form.gateways[0]}`, `--token=${token.trim()}`];
  const authority = join(directory, 'tokens-ca.crt');
  await writeFile(authority, form.ca);
  const { stderr } = await kubectl.attempt([
    ...own,
    `--certificate-authority=${authority}`,
    'get',
    'leases',
    '-A',
  ]);
  assert.match(
    stderr,
    /"system:serviceaccount:default:caller" cannot list resource "leases" in API group "coordination.k8s.io"/,
  );
}

async function readStateMetrics({ configuration, directory }: FormOfTests): Promise<void> {
  const kubectl = createKubectl(configuration, join(directory, 'metrics-cache'));
  const manifest = `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: measured, namespace: default}
spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: measured, namespace: default}
spec: {holderIdentity: holder-a}
`;
  await kubectl.run(['apply', '-f', '-'], { input: manifest });
  const [port, telemetryPort] = [await findFreePort(), await findFreePort()];
  const logFile = join(directory, 'kube-state-metrics.log');
  const metrics = async (wanted: number) => {
    const answer = await fetch(`http://127.0.0.1:${wanted}/metrics`).catch(() => undefined);
    return (await answer?.text()) ?? '';
  };
  await using _ = await startManagedProcess({
    name: 'kube-state-metrics',
    command: goProgram('kube-state-metrics'),
    arguments: [
      `--kubeconfig=${configuration}`,
      ...[
        '--host=127.0.0.1',
        `--port=${port}`,
        '--telemetry-host=127.0.0.1',
        `--telemetry-port=${telemetryPort}`,
      ],
    ],
    logFile,
    ready: signal => pollUntil('its metrics', async () => (await metrics(port)) !== '', { signal }),
  });
  for (const wanted of [
    /^kube_ingress_info\{namespace="default",ingress="measured"/m,
    /^kube_lease_owner\{lease="measured",.*lease_holder="holder-a"/m,
    /^kube_namespace_status_phase\{namespace="kube-system",phase="Active"\} 1$/m,
    /^kube_service_info\{namespace="default",service="kubernetes"/m,
  ])
    await pollUntil(`${wanted}`, async () => wanted.test(await metrics(port)));
  const lists = (await metrics(telemetryPort)).match(/^kube_state_metrics_(list|watch)_total.*$/gm) ?? [];
  assert.ok(lists.length > 20, lists.join('\n'));
  assert.deepEqual(
    lists.filter(line => line.includes('result="error"')),
    [],
    await readFile(logFile, 'utf8'),
  );
}

/** Runs the manager with the files of a pod of kube-system where each client library looks for them, in a mount namespace of its own. */
async function runInCluster(tests: FormOfTests): Promise<void> {
  const { configuration, directory, form } = tests;
  const kubectl = createKubectl(configuration, join(directory, 'pod-cache'), goProgram('kubectl'));
  const within = async (...args: string[]) => (await kubectl.run(['-n', 'kube-system', ...args])).stdout;
  await within('create', 'serviceaccount', 'tour');
  await within(
    'create',
    'clusterrolebinding',
    'tour',
    '--clusterrole=cluster-admin',
    '--serviceaccount=kube-system:tour',
  );
  await pollUntil(
    'the authority is published',
    async () => (await within('get', 'configmap', 'kube-root-ca.crt', '--ignore-not-found')) !== '',
  );
  const files = {
    token: (await within('create', 'token', 'tour')).trim(),
    'ca.crt': await within('get', 'configmap', 'kube-root-ca.crt', '-o', 'jsonpath={.data.ca\\.crt}'),
    namespace: 'kube-system',
  };
  const mounted = join(directory, 'mounted');
  await mkdir(mounted);
  for (const [name, content] of Object.entries(files)) await writeFile(join(mounted, name), content);
  const script = `set -e
mount -t tmpfs tmpfs "$(readlink -f /var/run)"
mkdir -p /var/run/secrets/kubernetes.io
ln -s "$1" /var/run/secrets/kubernetes.io/serviceaccount
exec "$2" '' in-cluster in-cluster`;
  const { hostname, port } = new URL(form.gateways[0] ?? '');
  await runTour(
    tests,
    'unshare',
    ['--mount', '--map-root-user', 'sh', '-c', script, 'sh', mounted, goProgram('clients')],
    { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
  );
}
