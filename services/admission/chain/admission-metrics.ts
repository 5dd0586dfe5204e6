import type { Operation } from '@binnacle/proto';
import type { Metrics } from '@binnacle/telemetry';
import type { Review } from './review.ts';

/** The subject of a measurement: a plugin or a webhook in one phase of a review. */
export interface Measured {
  readonly name: string;
  readonly type: 'admit' | 'validate';
  readonly review: Review;
}

/** Why a webhook's answer led to a refusal (spec 2, "Events"). */
type RejectionErrorType = 'calling_webhook_error' | 'no_error' | 'apiserver_internal_error';

/** One refusal on account of a webhook. */
interface WebhookRejection {
  readonly webhook: string;
  readonly type: Measured['type'];
  readonly review: Review;
  readonly errorType: RejectionErrorType;
  /** HTTP status code; above 600 it counts as 600. */
  readonly code: number;
}

/** How a call of a webhook ended. */
interface WebhookEnd {
  readonly seconds: number;
  readonly rejected: boolean;
  /** HTTP status code of the outcome: 200 when it let the write pass; above 600 it counts as 600. */
  readonly code: number;
}

/** One policy that was evaluated on account of one binding. */
interface PolicyCheck {
  readonly policy: string;
  readonly binding: string;
  readonly seconds: number;
  readonly denied: boolean;
}

/** Records the runs of one subject: the duration of each, and whether it refused the write. */
export interface Stopwatch {
  note(seconds: number, rejected: boolean): void;
}

/** Counts and times of admission. */
export interface AdmissionMetrics {
  /** The runs of a plugin in one phase. */
  plugin(name: string, type: Measured['type'], operation: Operation): Stopwatch;
  /** The runs of all plugins of a phase, counted as one. */
  phase(type: Measured['type'], operation: Operation): Stopwatch;
  /** Records the duration of a webhook call, and whether the webhook let the write pass. */
  webhookCalled(measured: Measured, end: WebhookEnd): void;
  webhookRejected(rejection: WebhookRejection): void;
  /** Counts a webhook that failed while its policy let the write pass. */
  webhookFailedOpen(webhook: string, type: Measured['type']): void;
  /** Records the duration of a policy's evaluation, and whether the policy let the write pass. */
  policyChecked(check: PolicyCheck): void;
}

/** The names of the phases in the metrics of webhooks. */
const webhookTypes: Readonly<Record<Measured['type'], string>> = { admit: 'admit', validate: 'validating' };

/** Creates the metrics of admission; without a registry nothing is recorded. */
export function createAdmissionMetrics(metrics: Metrics | undefined): AdmissionMetrics {
  if (metrics === undefined) return silent;
  const durationLabels = ['name', 'type', 'operation', 'rejected'];
  const plugins = metrics.histogram({
    name: 'apiserver_admission_controller_admission_duration_seconds',
    help: 'Duration of admission plugins, by plugin, phase and operation.',
    labelNames: durationLabels,
  });
  const phases = metrics.histogram({
    name: 'apiserver_admission_step_admission_duration_seconds',
    help: 'Duration of all plugins of a phase, by phase and operation.',
    labelNames: ['type', 'operation', 'rejected'],
  });
  const requests = metrics.counter({
    name: 'apiserver_admission_webhook_request_total',
    help: 'Calls of webhooks, by webhook, phase, operation and outcome.',
    labelNames: ['name', 'type', 'operation', 'code', 'rejected'],
  });
  const webhooks = metrics.histogram({
    name: 'apiserver_admission_webhook_admission_duration_seconds',
    help: 'Duration of calls of admission webhooks, by webhook, phase and operation.',
    labelNames: durationLabels,
  });
  const rejections = metrics.counter({
    name: 'apiserver_admission_webhook_rejection_count',
    help: 'Writes refused because of a webhook.',
    labelNames: ['name', 'operation', 'type', 'error_type', 'rejection_code'],
  });
  const failedOpen = metrics.counter({
    name: 'apiserver_admission_webhook_fail_open_count',
    help: 'Calls of webhooks that failed and were ignored.',
    labelNames: ['name', 'type'],
  });
  const policyChecked = policyMetrics(metrics);
  return {
    plugin: (name, type, operation) => stopwatchOn(plugins, [name, type, operation]),
    phase: (type, operation) => stopwatchOn(phases, [type, operation]),
    webhookCalled({ name, type, review }, { seconds, rejected, code }) {
      const webhookType = webhookTypes[type];
      const { operation } = review;
      webhooks.labels(name, webhookType, operation, String(rejected)).observe(seconds);
      requests.labels(name, webhookType, operation, String(Math.min(code, 600)), String(rejected)).inc();
    },
    webhookRejected({ webhook, type, review, errorType, code }) {
      const shown = String(Math.min(code, 600));
      rejections.labels(webhook, review.operation, webhookTypes[type], errorType, shown).inc();
    },
    webhookFailedOpen: (webhook, type) => failedOpen.labels(webhook, webhookTypes[type]).inc(),
    policyChecked,
  };
}

function policyMetrics(metrics: Metrics): AdmissionMetrics['policyChecked'] {
  const labelNames = ['policy', 'policy_binding', 'enforcement_action', 'state'];
  const checks = metrics.counter({
    name: 'apiserver_validating_admission_policy_check_total',
    help: 'Evaluations of admission policies, by policy, binding and outcome.',
    labelNames,
  });
  const durations = metrics.histogram({
    name: 'apiserver_validating_admission_policy_check_duration_seconds',
    help: 'Duration of admission policies, by policy, binding and outcome.',
    labelNames,
  });
  return ({ policy, binding, seconds, denied }) => {
    const labels = [policy, binding, denied ? 'deny' : 'allow', 'active'];
    checks.labels(...labels).inc();
    durations.labels(...labels).observe(seconds);
  };
}

type Histogram = ReturnType<Metrics['histogram']>;

/** Creates a stopwatch that looks up each of its two series once, at its first value. */
function stopwatchOn(durations: Histogram, labels: readonly string[]): Stopwatch {
  const series: { [rejected: string]: ReturnType<Histogram['labels']> } = {};
  return {
    note(seconds, isRejected) {
      const rejected = String(isRejected);
      series[rejected] ??= durations.labels(...labels, rejected);
      series[rejected].observe(seconds);
    },
  };
}

const noStopwatch: Stopwatch = { note: () => {} };

const silent: AdmissionMetrics = {
  plugin: () => noStopwatch,
  phase: () => noStopwatch,
  webhookCalled: () => {},
  webhookRejected: () => {},
  webhookFailedOpen: () => {},
  policyChecked: () => {},
};
