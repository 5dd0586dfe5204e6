import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findFreePort, pollUntil, startManagedProcess } from '@binnacle/backends';

/** A pod whose metrics are collected. */
interface ScrapedPod {
  readonly service: string;
  /** Of its metrics and health. */
  readonly port: number;
}

/** A Prometheus with the rules of the repository. */
export interface LivePrometheus extends AsyncDisposable {
  /** Collects the metrics of one more pod. */
  add(pod: ScrapedPod): void;
  /** The names of the alerts that fire. */
  firing(): Promise<ReadonlySet<string>>;
  /** Values of an expression. */
  query(expression: string): Promise<readonly number[]>;
}

const rulesFile = resolve(import.meta.dirname, '../../../deploy/prometheus/alerts.yml');

/** Why no Prometheus can be started here; undefined where one can. */
export function prometheusMissing(): string | undefined {
  const { error } = spawnSync('prometheus', ['--version']);
  return error === undefined ? undefined : 'prometheus is not installed (Debian: apt-get install prometheus)';
}

/**
 * The rules with times for tests: an alert fires when its expression has held for two seconds, rates are those of ten
 * seconds, and what was before is looked for within ten minutes.
 */
function shortenedRules(text: string): string {
  return text
    .replaceAll(/\bfor: \d+[smhd]/g, 'for: 2s')
    .replaceAll(/\[\d+[dw]:\d+m\]/g, '[10m:1s]')
    .replaceAll(/\[\d+[mh]\]/g, '[10s]');
}

/** Starts a Prometheus that collects every second. Its files go into that folder. */
export async function startPrometheus(
  directory: string,
  pods: readonly ScrapedPod[],
): Promise<LivePrometheus> {
  mkdirSync(directory, { recursive: true });
  const file = (name: string) => join(directory, name);
  const targets = [...pods];
  const writeTargets = (): void => {
    const groups = targets.map(({ service, port }) => ({
      targets: [`127.0.0.1:${port}`],
      labels: { service },
    }));
    writeFileSync(file('targets.json'), JSON.stringify(groups));
  };
  writeTargets();
  writeFileSync(file('alerts.yml'), shortenedRules(readFileSync(rulesFile, 'utf8')));
  writeFileSync(file('prometheus.yml'), JSON.stringify(configuration)); // JSON is YAML.
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const managed = await startManagedProcess({
    name: 'prometheus-1',
    command: 'prometheus',
    arguments: [
      `--config.file=${file('prometheus.yml')}`,
      `--storage.tsdb.path=${file('data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    logFile: file('prometheus.log'),
    ready: signal =>
      pollUntil(
        'prometheus to be ready',
        async question => (await fetch(`${url}/-/ready`, { signal: question })).ok,
        { signal },
      ),
  });
  const ask = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`${url}/api/v1/${path}`, { signal: AbortSignal.timeout(10_000) });
    return ((await answer.json()) as { data: T }).data; // As Prometheus documents it.
  };
  return {
    add(pod) {
      targets.push(pod);
      writeTargets();
    },
    async firing() {
      type Alerts = { alerts: readonly { state: string; labels: { alertname: string } }[] };
      const { alerts } = await ask<Alerts>('alerts');
      return new Set(alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname));
    },
    async query(expression) {
      type Vector = { result: readonly { value: readonly [number, string] }[] };
      const { result } = await ask<Vector>(`query?query=${encodeURIComponent(expression)}`);
      return result.map(({ value: [, text] }) => Number(text));
    },
    [Symbol.asyncDispose]: () => managed[Symbol.asyncDispose](),
  };
}

const configuration = {
  global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
  rule_files: ['alerts.yml'],
  scrape_configs: [{ job_name: 'binnacle', file_sd_configs: [{ files: ['targets.json'] }] }],
};
