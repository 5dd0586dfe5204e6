import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { findFreePort } from '@binnacle/backends';
import { operatorFolder } from '../client-programs.ts';
import type { OperatorSteps } from './steps.ts';

const namespace = 'certificates';

const issuers = `
apiVersion: cert-manager.io/v1
kind: Issuer
metadata: {name: self}
spec: {selfSigned: {}}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: authority}
spec:
  isCA: true
  commonName: an authority
  secretName: authority
  privateKey: {algorithm: ECDSA, size: 256}
  issuerRef: {name: self}
---
apiVersion: cert-manager.io/v1
kind: Issuer
metadata: {name: authority}
spec: {ca: {secretName: authority}}
`;

const leaf = `
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: leaf}
spec:
  dnsNames: [leaf.example.com]
  secretName: leaf
  issuerRef: {name: authority}
`;

const ingress = `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: site, annotations: {cert-manager.io/issuer: authority}}
spec:
  tls: [{hosts: [site.example.com], secretName: site}]
  rules:
    - host: site.example.com
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: site, port: {number: 80}}}}]}
`;

const injected = 'cert-manager.io/inject-ca-from: certificates/leaf';
const injectedObjects = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: injected, annotations: {${injected}}}
webhooks:
  - name: webhook.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Ignore
    clientConfig: {url: "https://webhook.example.com"}
    rules: [{apiGroups: [injected.example.com], apiVersions: ["*"], resources: ["*"], operations: [CREATE]}]
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.injected.example.com, annotations: {${injected}}}
spec:
  group: injected.example.com
  scope: Namespaced
  names: {kind: Lamp, plural: lamps}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {url: "https://webhook.example.com"}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.aggregated.example.com, annotations: {${injected}}}
spec:
  group: aggregated.example.com
  version: v1
  groupPriorityMinimum: 100
  versionPriority: 100
  service: {name: aggregated, namespace: certificates}
`;

/** An object with conditions. */
export interface WithConditions {
  readonly status?: { readonly conditions?: { readonly type: string; readonly status: string }[] };
}

/** Whether a condition of an object is true. */
export const has =
  (type: string) =>
  ({ status }: WithConditions): boolean =>
    (status?.conditions ?? []).some(condition => condition.type === type && condition.status === 'True');

/** A Secret, as its data is needed here. */
export interface SecretWithData {
  readonly data?: Readonly<Record<string, string>>;
}

/** A value of a Secret as text. */
export const secretValue = ({ data }: SecretWithData, key: string): string =>
  Buffer.from(data?.[key] ?? '', 'base64').toString();

const certificateIn = (secret: SecretWithData, key = 'tls.crt') =>
  new X509Certificate(secretValue(secret, key));

/** Registers what cert-manager does with everything at its defaults. */
export function registerCertManagerTests(steps: () => OperatorSteps): void {
  before(async () => {
    await installCertManager(steps());
    await steps().output('create', 'namespace', namespace);
  });
  const get = <T>(...object: string[]) => steps().find<T>('-n', namespace, ...object);
  const becomes = <T>(object: string[], what: string, isWanted: (object: T) => boolean) =>
    steps().becomes<T>(['-n', namespace, ...object], what, isWanted);
  const readSecret = (name: string) =>
    becomes<SecretWithData>(
      ['secret', name],
      'has a certificate',
      ({ data }) => data?.['tls.crt'] !== undefined,
    );

  registerWebhookTests(steps, becomes);
  test('a self-signed issuer issues an authority, and an issuer with it issues certificates', async () => {
    await steps().apply(issuers, '-n', namespace);
    for (const object of ['issuer/self', 'certificate/authority', 'issuer/authority'])
      await becomes<WithConditions>([object], 'is ready', has('Ready'));
    await steps().apply(leaf, '-n', namespace);
    await becomes<WithConditions>(['certificate', 'leaf'], 'is ready', has('Ready'));
    const authority = certificateIn(await readSecret('authority'));
    const secret = await readSecret('leaf');
    const certificate = certificateIn(secret);
    assert.equal(authority.ca, true);
    assert.ok(certificate.verify(authority.publicKey));
    assert.equal(certificate.subjectAltName, 'DNS:leaf.example.com');
    assert.equal(certificateIn(secret, 'ca.crt').fingerprint256, authority.fingerprint256);
  });

  test('a certificate request has the user of the request that the mutating webhook saw', async () => {
    const { items = [] } = (await get<{ items: { spec: object }[] }>('certificaterequests')) ?? {};
    assert.equal(items.length, 2);
    for (const { spec } of items) {
      const { username, groups } = spec as { username?: string; groups?: string[] };
      assert.equal(username, 'system:serviceaccount:cert-manager:cert-manager');
      assert.ok(groups?.includes('system:serviceaccounts:cert-manager'), `${groups}`);
    }
  });

  test('a deleted secret is recreated with another certificate', async () => {
    const { serialNumber } = certificateIn(await readSecret('leaf'));
    await steps().output('-n', namespace, 'delete', 'secret', 'leaf');
    assert.notEqual(certificateIn(await readSecret('leaf')).serialNumber, serialNumber);
    await becomes<WithConditions>(['certificate', 'leaf'], 'is ready', has('Ready'));
  });

  test('the certificate of an ingress is issued, and deleted with the ingress', async () => {
    await steps().apply(ingress, '-n', namespace);
    await becomes<WithConditions>(['certificate', 'site'], 'is ready', has('Ready'));
    assert.equal(certificateIn(await readSecret('site')).subjectAltName, 'DNS:site.example.com');
    await steps().output('-n', namespace, 'delete', 'ingress', 'site');
    // The garbage collector of the server deletes what the ingress owns.
    await steps().isGone('-n', namespace, 'certificate', 'site');
  });

  registerInjectionTests(steps, readSecret);
  test('both programs with leader election hold their leases in kube-system', async () => {
    for (const lease of ['cert-manager-controller', 'cert-manager-cainjector-leader-election'])
      await steps().becomes<{ spec: { holderIdentity?: string } }>(
        ['-n', 'kube-system', 'lease', lease],
        'has a holder',
        ({ spec }) => (spec.holderIdentity ?? '') !== '',
      );
  });
}

type Becomes = OperatorSteps['becomes'];

function registerWebhookTests(steps: () => OperatorSteps, becomes: Becomes): void {
  test('the authority of the webhook is injected into both of its configurations', async () => {
    const object = ['-n', 'cert-manager', 'secret', 'cert-manager-webhook-ca'];
    const secret = await steps().becomes<SecretWithData>(
      object,
      'is there',
      ({ data }) => data !== undefined,
    );
    for (const kind of ['validatingwebhookconfiguration', 'mutatingwebhookconfiguration'])
      await becomes<Webhooks>([kind, 'cert-manager-webhook'], 'has the authority', ({ webhooks }) =>
        webhooks.every(({ clientConfig }) => clientConfig.caBundle === secret.data?.['ca.crt']),
      );
  });

  test('the webhook refuses an invalid duration, and the schema of the definition a missing issuer', async () => {
    const invalid = leaf.replace('spec:', 'spec:\n  duration: 1m');
    // Until it serves, and its authority is injected, the request fails in another way.
    await steps().eventually('the webhook answers', async () => {
      const refusal = await steps().refusal(invalid, '-n', namespace, 'apply', '-f', '-');
      assert.match(
        refusal,
        /admission webhook "webhook\.cert-manager\.io" denied the request: spec\.duration/,
      );
    });
    // The definition refuses this one by itself.
    const wrong = leaf.replace('issuerRef: {name: authority}', 'issuerRef: {}');
    assert.match(
      await steps().refusal(wrong, '-n', namespace, 'apply', '--validate=false', '-f', '-'),
      /spec\.issuerRef\.name: Required value/,
    );
  });
}

interface Webhooks {
  readonly webhooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[];
}

function registerInjectionTests(
  steps: () => OperatorSteps,
  readSecret: (name: string) => Promise<SecretWithData>,
): void {
  test('an authority is injected into a webhook, a definition and an APIService, and updated with its certificate', async () => {
    await steps().apply(injectedObjects);
    const isInjected = async () => {
      const wanted = (await readSecret('leaf')).data?.['ca.crt'];
      await steps().becomes<Webhooks>(
        ['validatingwebhookconfiguration', 'injected'],
        'has the authority',
        ({ webhooks }) => webhooks[0]?.clientConfig.caBundle === wanted,
      );
      await steps().becomes<{ spec: { conversion: { webhook: { clientConfig: { caBundle?: string } } } } }>(
        ['customresourcedefinition', 'lamps.injected.example.com'],
        'has the authority',
        ({ spec }) => spec.conversion.webhook.clientConfig.caBundle === wanted,
      );
      await steps().becomes<{ spec: { caBundle?: string } }>(
        ['apiservice', 'v1.aggregated.example.com'],
        'has the authority',
        ({ spec }) => spec.caBundle === wanted,
      );
      return wanted;
    };
    const first = await isInjected();
    const { serialNumber } = certificateIn(await readSecret('authority'));
    await steps().output('-n', namespace, 'delete', 'secret', 'authority');
    assert.notEqual(certificateIn(await readSecret('authority')).serialNumber, serialNumber);
    await steps().output('-n', namespace, 'delete', 'secret', 'leaf');
    assert.notEqual(await isInjected(), first);
    await steps().output('delete', 'apiservice', 'v1.aggregated.example.com');
  });
}

/** Installs the chart and the definitions as they are published, and starts the programs that its deployments would run. */
async function installCertManager(steps: OperatorSteps): Promise<void> {
  const [port, healthPort, metricsPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  await steps.helm(
    ...['install', 'cert-manager', await packChart(steps.directory)],
    ...['--namespace=cert-manager', '--create-namespace'],
    // There is no kubelet: no pod runs, and the webhook is reached where it is started.
    ...['--set=installCRDs=true', '--set=startupapicheck.enabled=false'],
    `--set=webhook.url.host=localhost:${port}`,
  );
  await steps.start('cainjector', 'cert-manager/cert-manager-cainjector', []);
  await steps.start('controller', 'cert-manager/cert-manager', [
    `--kubeconfig=${steps.configurationPath('controller')}`,
    `--metrics-listen-address=127.0.0.1:${metricsPort}`,
  ]);
  await steps.start('webhook', 'cert-manager/cert-manager-webhook', [
    `--kubeconfig=${steps.configurationPath('webhook')}`,
    ...[`--secure-port=${port}`, `--healthz-port=${healthPort}`],
    // It has no authority of its own unless it is told where.
    '--dynamic-serving-ca-secret-namespace=cert-manager',
    '--dynamic-serving-ca-secret-name=cert-manager-webhook-ca',
    '--dynamic-serving-dns-names=localhost',
  ]);
}

/** Puts the chart together as its project's release does: its version, and the definitions among its templates. */
async function packChart(directory: string): Promise<string> {
  const published = join(operatorFolder('github.com/cert-manager/cert-manager'), 'deploy');
  const chart = join(directory, 'cert-manager');
  // Files and folders of the module cache are not writable, and copies of them would not be either.
  await mkdir(join(chart, 'templates'), { recursive: true });
  for (const name of await readdir(join(published, 'charts/cert-manager'), { recursive: true }))
    if (name.includes('.'))
      await writeFile(join(chart, name), await readFile(join(published, 'charts/cert-manager', name)));
  const template = await readFile(join(published, 'charts/cert-manager/Chart.template.yaml'), 'utf8');
  await writeFile(join(chart, 'Chart.yaml'), template.replaceAll('v0.1.0', 'v1.11.5'));
  const definitions = (await readdir(join(published, 'crds'))).filter(name => name.endsWith('.yaml'));
  const texts = await Promise.all(definitions.map(name => readFile(join(published, 'crds', name), 'utf8')));
  await writeFile(
    join(chart, 'templates/crds.yaml'),
    `{{- if .Values.installCRDs }}\n${texts.join('\n---\n')}\n{{- end }}\n`,
  );
  return chart;
}
