import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { findFreePort } from '@binnacle/backends';
import { operatorFolder } from '../client-programs.ts';
import { has, type SecretWithData, secretValue, type WithConditions } from './cert-manager-tests.ts';
import type { OperatorSteps } from './steps.ts';

const namespace = 'monitoring';

const prometheus = `
apiVersion: monitoring.coreos.com/v1
kind: Prometheus
metadata: {name: main}
spec:
  replicas: 2
  serviceAccountName: prometheus
  serviceMonitorSelector: {matchLabels: {team: frontend}}
  ruleSelector: {matchLabels: {role: alert-rules}}
  resources: {requests: {memory: 400Mi}}
  storage: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 1Gi}}}}}
  alerting: {alertmanagers: [{namespace: ${namespace}, name: alertmanager-operated, port: web}]}
`;

const watched = (port: string) => `
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: site, labels: {team: frontend}}
spec: {selector: {matchLabels: {app: site}}, endpoints: [{port: ${port}}]}
---
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: rules, labels: {role: alert-rules}}
spec: {groups: [{name: all, rules: [{alert: Always, expr: vector(1)}]}]}
`;

const alerts = `
apiVersion: monitoring.coreos.com/v1
kind: Alertmanager
metadata: {name: main}
spec: {replicas: 3, alertmanagerConfigSelector: {}}
---
apiVersion: monitoring.coreos.com/v1
kind: ThanosRuler
metadata: {name: main}
spec: {image: thanos, ruleSelector: {}, queryEndpoints: ["http://query.example.com"]}
`;

const alertsRouted = `
apiVersion: monitoring.coreos.com/v1alpha1
kind: AlertmanagerConfig
metadata: {name: routes}
spec:
  route: {receiver: hook, matchers: [{name: team, value: frontend, matchType: "="}]}
  receivers: [{name: hook, webhookConfigs: [{url: "http://hook.example.com/"}]}]
  muteTimeIntervals: [{name: nights, timeIntervals: [{times: [{startTime: "22:00", endTime: "23:00"}]}]}]
`;

interface StatefulSet {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly generation: number;
    readonly ownerReferences?: readonly object[];
  };
  readonly spec: {
    readonly replicas: number;
    readonly serviceName: string;
    readonly podManagementPolicy: string;
    readonly template: {
      readonly spec: {
        readonly containers: { readonly name: string }[];
        readonly serviceAccountName: string;
      };
    };
    readonly volumeClaimTemplates?: readonly { readonly spec: object }[];
  };
}

/** Registers what prometheus-operator does with everything at its defaults. */
export function registerPrometheusOperatorTests(steps: () => OperatorSteps): void {
  before(async () => {
    await installPrometheusOperator(steps());
    await steps().output('create', 'namespace', namespace);
  });
  const becomes = <T>(object: string[], what: string, isWanted: (object: T) => boolean) =>
    steps().becomes<T>(['-n', namespace, ...object], what, isWanted);
  const configured = (text: string) =>
    becomes<SecretWithData>(['secret', 'prometheus-main'], `has ${text}`, ({ data }) =>
      unpacked(data?.['prometheus.yaml.gz']).includes(text),
    );

  test('a Prometheus gets a stateful set with its configuration, rules and service', async () => {
    await steps().apply(`${watched('web')}---${prometheus}`, '-n', namespace);
    const { metadata, spec } = await becomes<StatefulSet>(
      ['statefulset', 'prometheus-main'],
      'is there',
      ({ spec }) => spec.replicas === 2,
    );
    assert.equal(metadata.ownerReferences?.length, 1);
    assert.deepEqual([spec.serviceName, spec.podManagementPolicy], ['prometheus-operated', 'Parallel']);
    assert.equal(spec.template.spec.serviceAccountName, 'prometheus');
    const names = spec.template.spec.containers.map(({ name }) => name);
    assert.deepEqual(names, ['prometheus', 'config-reloader']);
    const [claim = { spec: {} }] = spec.volumeClaimTemplates ?? [];
    assert.deepEqual(claim.spec, {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      volumeMode: 'Filesystem',
    });
    await configured(`job_name: serviceMonitor/${namespace}/site/0`);
    await becomes<{ data: object }>(
      ['configmap', 'prometheus-main-rulefiles-0'],
      'has the rules',
      ({ data }) => Object.values(data).some(text => text.includes('alert: Always')),
    );
    await becomes<object>(['service', 'prometheus-operated'], 'is there', () => true);
    await becomes<WithConditions>(['prometheus', 'main'], 'is reconciled', has('Reconciled'));
  });

  test('unchanged objects are not written', async () => {
    // Of two changes in a row, what the first one led to has been written when the second one is seen.
    const reconcile = async (...ports: string[]) => {
      for (const port of ports) {
        await steps().apply(watched(port), '-n', namespace);
        await configured(`regex: ${port}`);
      }
      return steps().find<StatefulSet>('-n', namespace, 'statefulset', 'prometheus-main');
    };
    // It writes once more when it has seen what the server adds to what it made.
    const written = await reconcile('first', 'second');
    const later = await reconcile('third', 'fourth');
    assert.equal(later?.metadata.resourceVersion, written?.metadata.resourceVersion);
    assert.equal(later?.metadata.generation, 1);
  });

  test('the scale subresource of a Prometheus sets its shards', async () => {
    await steps().output('-n', namespace, 'scale', 'prometheus', 'main', '--replicas=2');
    await becomes<StatefulSet>(
      ['statefulset', 'prometheus-main-shard-1'],
      'has 2 replicas',
      ({ spec }) => spec.replicas === 2,
    );
  });

  test('Alertmanager and ThanosRuler get stateful sets', async () => {
    await steps().apply(alerts, '-n', namespace);
    for (const name of ['alertmanager-main', 'thanos-ruler-main'])
      await becomes<StatefulSet>(['statefulset', name], 'is there', () => true);
  });

  registerConversionTest(steps, becomes);
  test('the objects of a deleted Prometheus are deleted', async () => {
    await steps().output('-n', namespace, 'delete', 'prometheus', 'main');
    await steps().isGone('-n', namespace, 'statefulset', 'prometheus-main');
  });
}

function registerConversionTest(steps: () => OperatorSteps, becomes: OperatorSteps['becomes']): void {
  test('the webhook of the operator, with a certificate of cert-manager, converts and refuses objects', async () => {
    const port = await startAdmissionWebhook(steps());
    await steps().apply(alertsRouted, '-n', namespace);
    await steps().eventually('the object is read in the other version', async () => {
      const path = `/apis/monitoring.coreos.com/v1beta1/namespaces/${namespace}/alertmanagerconfigs/routes`;
      const { spec } = JSON.parse(await steps().output('get', '--raw', path)) as { spec: object };
      // This field has another name there.
      assert.deepEqual('timeIntervals' in spec && spec.timeIntervals, [
        { name: 'nights', timeIntervals: [{ times: [{ startTime: '22:00', endTime: '23:00' }] }] },
      ]);
    });
    await becomes<SecretWithData>(
      ['-n', namespace, 'secret', 'alertmanager-main-generated'],
      'has the route',
      ({ data }) => unpacked(data?.['alertmanager.yaml.gz']).includes('hook.example.com'),
    );
    await steps().apply(ruleWebhook(port));
    const wrong = watched('web').replace('vector(1)', 'vector(');
    await steps().eventually('a rule that is none is refused', async () =>
      assert.match(
        await steps().refusal(wrong, '-n', namespace, 'apply', '-f', '-'),
        // kubectl shows the causes in the details of the webhook's status, and not its message.
        /"prometheusrules" is invalid: .*could not parse expression/,
      ),
    );
    await steps().output('delete', 'validatingwebhookconfiguration', 'prometheus-rules');
  });
}

const unpacked = (value: string | undefined): string =>
  value === undefined ? '' : gunzipSync(Buffer.from(value, 'base64')).toString();

/** Creates all that the project's bundle has, and starts the program that its deployment would run. */
async function installPrometheusOperator(steps: OperatorSteps): Promise<void> {
  const folder = operatorFolder('github.com/prometheus-operator/prometheus-operator');
  await steps.output('create', '-f', join(folder, 'bundle.yaml'));
  await steps.start('operator', 'default/prometheus-operator', [
    `--web.listen-address=127.0.0.1:${await findFreePort()}`,
  ]);
}

/** Has the definition converted by the project's own webhook, as its example does, and gives the port of the webhook. */
async function startAdmissionWebhook(steps: OperatorSteps): Promise<number> {
  const folder = join(operatorFolder('github.com/prometheus-operator/prometheus-operator'), 'example');
  await steps.apply(webhookCertificate, '-n', 'certificates');
  const secret = await steps.becomes<SecretWithData>(
    ['-n', 'certificates', 'secret', 'admission-webhook-certs'],
    'has a certificate',
    ({ data }) => data?.['tls.crt'] !== undefined,
  );
  const [certificate, key] = [join(steps.directory, 'hook.crt'), join(steps.directory, 'hook.key')];
  await writeFile(certificate, secretValue(secret, 'tls.crt'));
  await writeFile(key, secretValue(secret, 'tls.key'));
  const port = await findFreePort();
  const tls = ['--web.enable-tls=true', `--web.cert-file=${certificate}`, `--web.key-file=${key}`];
  await steps.start('admission-webhook', 'default/prometheus-operator', [
    ...[`--web.listen-address=127.0.0.1:${port}`, ...tls],
  ]);
  const definition = 'alertmanagerconfigs.monitoring.coreos.com';
  await steps.output(
    'replace',
    '-f',
    join(folder, `prometheus-operator-crd-full/monitoring.coreos.com_alertmanagerconfigs.yaml`),
  );
  const patch = JSON.parse(
    await readFile(join(folder, 'alertmanager-crd-conversion/patch.json'), 'utf8'),
  ) as {
    metadata: { annotations: Record<string, string> };
    spec: { conversion: { webhook: { clientConfig: object } } };
  };
  // There is no kubelet that runs it behind its service.
  patch.spec.conversion.webhook.clientConfig = { url: `https://localhost:${port}/convert` };
  patch.metadata.annotations['cert-manager.io/inject-ca-from'] = 'certificates/admission-webhook';
  await steps.output('patch', 'crd', definition, '--type=merge', '-p', JSON.stringify(patch));
  return port;
}

const webhookCertificate = `
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: admission-webhook}
spec: {dnsNames: [localhost], secretName: admission-webhook-certs, issuerRef: {name: authority}}
`;

const ruleWebhook = (port: number) => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: prometheus-rules
  annotations: {cert-manager.io/inject-ca-from: certificates/admission-webhook}
webhooks:
  - name: prometheusrules.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: {url: "https://localhost:${port}/admission-prometheusrules/validate"}
    rules:
      - {apiGroups: [monitoring.coreos.com], apiVersions: ["*"], resources: [prometheusrules], operations: [CREATE, UPDATE]}
`;
