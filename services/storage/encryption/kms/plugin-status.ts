import { pause } from '@binnacle/event-loop';
import type { kmsV2 } from '@binnacle/proto';
import type { FailureLog, Logger, Metrics } from '@binnacle/telemetry';
import type { HealthIntervals } from './cached-check.ts';
import { keyIdProblem } from './encrypted-object.ts';
import { KmsError, quote } from './kms-error.ts';

/** Options of the status of a plugin. */
interface PluginStatusOptions {
  /** Name of the provider in the configuration. */
  readonly name: string;
  /** Calls the method `Status` of the plugin. */
  readonly ask: () => Promise<kmsV2.StatusResponse>;
  /** Milliseconds between two calls: after a good status, and after another one. */
  readonly intervals: HealthIntervals;
  /** The log of failed checks. */
  readonly failures: FailureLog;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The version of the API, as plugins name it. */
const version = 'v2alpha1';

/** The status that a plugin of the API v2 reports of itself. It is polled until the signal aborts, so that reads do not wait for it. */
export class PluginStatus {
  readonly #options: PluginStatusOptions;
  readonly #noteChange: () => void;
  #keyId: string | undefined;
  #checking: Promise<void> | undefined;
  #last: Promise<void>;
  /** The time by `performance.now` until which the last good status counts. */
  #goodUntil = 0;

  constructor(options: PluginStatusOptions, signal: AbortSignal) {
    this.#options = options;
    const { name, metrics } = options;
    const changes = metrics
      .counter({
        name: 'binnacle_storage_kms_key_changes_total',
        help: 'Changes of the key that a KMS plugin encrypts with, as this process saw them, the first key included.',
        labelNames: ['provider_name'],
      })
      .labels(name);
    this.#noteChange = () => changes.inc();
    this.#last = this.check();
    void this.#poll(signal); // Never rejects.
  }

  /** The outcome of the last check that has ended, or of the first one: rejects with a KmsError if the plugin is not healthy. */
  get last(): Promise<void> {
    return this.#last;
  }

  /** The key that the plugin encrypts with, by its last valid status; undefined before the first. */
  get keyId(): string | undefined {
    return this.#keyId;
  }

  /** Whether the last status was good, and is recent enough to go by. */
  get isGood(): boolean {
    return performance.now() < this.#goodUntil;
  }

  /** Asks the plugin; concurrent calls share one answer. Rejects with a KmsError if the plugin is not healthy. */
  check(): Promise<void> {
    if (this.#checking !== undefined) return this.#checking;
    const checking = this.#check();
    this.#checking = checking;
    const ended = (): void => {
      this.#checking = undefined;
      this.#last = checking;
    };
    checking.then(ended, ended);
    return checking;
  }

  async #check(): Promise<void> {
    const { ask, log, intervals, name } = this.#options;
    try {
      const status = await ask();
      const keyProblem = keyIdProblem(status.keyId);
      // The last valid key counts, whatever else the plugin reports.
      if (keyProblem === undefined && status.keyId !== this.#keyId) {
        this.#keyId = status.keyId;
        this.#noteChange();
        log.info('KMS plugin encrypts with another key', { provider: name });
      }
      const problem = healthProblem(status) ?? keyProblem;
      if (problem !== undefined)
        throw new KmsError('malformed', `KMS plugin "${name}" is not healthy: ${problem}`);
      // A poll that is late by a half does not count as a failure.
      this.#goodUntil = performance.now() + 1.5 * intervals.goodMs;
      this.#options.failures.worked();
    } catch (thrown) {
      this.#goodUntil = 0;
      this.#options.failures.failed(thrown);
      throw thrown;
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { goodMs, failedMs } = this.#options.intervals;
    while (!signal.aborted) {
      await this.check().catch(() => {}); // Logged.
      await pause(this.isGood ? goodMs : failedMs, signal, { clock: idleTimers });
    }
  }
}

function healthProblem(status: kmsV2.StatusResponse): string | undefined {
  if (status.healthz !== 'ok') return `got unexpected healthz status: ${quote(status.healthz)}`;
  return status.version === version
    ? undefined
    : `expected KMSv2 API version ${version}, got ${quote(status.version)}`;
}

/** Timers that do not keep the process alive. */
const idleTimers = {
  after(milliseconds: number, callback: () => void) {
    const timer = setTimeout(callback, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
