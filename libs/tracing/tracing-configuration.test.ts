import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { tracingFromFlags } from './index.ts';
import { readTracingConfiguration } from './tracing-configuration.ts';

const head = 'apiVersion: apiserver.config.cluster.io/v1alpha1\nkind: TracingConfiguration\n';

async function withFile<T>(content: string, use: (file: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-tracing-'));
  const file = join(directory, 'tracing.yaml');
  try {
    await writeFile(file, content);
    return await use(file);
  } finally {
    await rm(directory, { recursive: true });
  }
}

const accepted: readonly (readonly [content: string, endpoint: string, rate: number])[] = [
  ['', 'localhost:4317', 0],
  ['endpoint: collector:4317\nsamplingRatePerMillion: 10000', 'collector:4317', 10_000],
  ['endpoint: dns:///collector:4317', 'collector:4317', 0],
  ['endpoint: unix:///run/collector.sock', 'unix:///run/collector.sock', 0],
  ['endpoint: "[::1]:4317"\nsamplingRatePerMillion: 1000000', '[::1]:4317', 1_000_000],
  ['endpoint: null\nsamplingRatePerMillion: null', 'localhost:4317', 0],
];

for (const [content, endpoint, samplingRatePerMillion] of accepted)
  test(`a configuration is read: ${JSON.stringify(content)}`, () =>
    withFile(head + content, async file =>
      assert.deepEqual(await readTracingConfiguration(file), { endpoint, samplingRatePerMillion }),
    ));

test('a configuration under the names of Kubernetes is read', () =>
  withFile('apiVersion: apiserver.config.k8s.io/v1alpha1\nkind: TracingConfiguration\n', async file =>
    assert.equal((await readTracingConfiguration(file)).endpoint, 'localhost:4317'),
  ));

const refused: readonly (readonly [content: string, problem: RegExp])[] = [
  ['[]', /it does not hold an object/],
  [
    'apiVersion: v1\nkind: Pod',
    /expected kind TracingConfiguration of apiserver\.config\.cluster\.io\/v1alpha1, got "Pod" of "v1"/,
  ],
  [
    `${head.replace('v1alpha1', 'v1beta1')}`,
    /got "TracingConfiguration" of "apiserver\.config\.cluster\.io\/v1beta1"/,
  ],
  [`${head}sampling: 1`, /unknown field "sampling"/],
  [
    `${head}samplingRatePerMillion: -1`,
    /samplingRatePerMillion: Invalid value: -1: sampling rate must be positive/,
  ],
  [
    `${head}samplingRatePerMillion: 1000001`,
    /Invalid value: 1000001: sampling rate per million must be less than/,
  ],
  [`${head}samplingRatePerMillion: many`, /Invalid value: "many": must be a whole number/],
  [`${head}samplingRatePerMillion: 9007199254740993`, /Invalid value: 9007199254740993: .*less than/],
  [`${head}samplingRatePerMillion: [1]`, /Invalid value: a list: must be a whole number/],
  [`${head}endpoint: http://localhost:4317`, /endpoint: Invalid value: "http.*unsupported scheme: http/],
  [`${head}endpoint: unix-abstract://a`, /unsupported scheme: unix-abstract/],
  [`${head}endpoint: "a b:1"`, /endpoint: Invalid value: "a b:1": must be a host and a port/],
  [`${head}endpoint: host:1/path`, /must be a host and a port/],
  [`${head}endpoint: 1`, /endpoint: Invalid value: 1: must be a string/],
  [`${head}endpoint: [`, /./],
];

for (const [content, problem] of refused)
  test(`a configuration is refused, with flag, file and place: ${problem.source}`, () =>
    withFile(content, file =>
      assert.rejects(
        tracingFromFlags(
          { tracingConfigFile: file },
          { service: 'test', log: silentLogger, metrics: createMetrics({ process: false }) },
        ),
        (error: Error) => {
          assert.match(error.message, problem);
          assert.ok(error.message.startsWith(`--tracing-config-file ${file}: `), error.message);
          return true;
        },
      ),
    ));

test('a file that is not there is refused', () =>
  assert.rejects(
    tracingFromFlags(
      { tracingConfigFile: '/nowhere/tracing.yaml' },
      { service: 'test', log: silentLogger, metrics: createMetrics({ process: false }) },
    ),
    /--tracing-config-file: ENOENT.*\/nowhere\/tracing\.yaml/,
  ));
