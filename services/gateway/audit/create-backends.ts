import type { Writable } from 'node:stream';
import { createRemoteWebhook, type RemoteWebhook, RemoteWebhookError } from '@binnacle/client';
import { FailureLog } from '@binnacle/telemetry';
import type { AuditLogOptions, AuditOptions, AuditWebhookOptions } from './audit-options.ts';
import { AuditBackend, type BackendServices } from './delivery/audit-backend.ts';
import type { AuditSink } from './delivery/audit-sink.ts';
import { lineStream } from './delivery/line-stream.ts';
import { RotatingFile } from './delivery/rotating-file.ts';
import { auditApiVersion } from './events/audit-event.ts';

/** Services and clocks that backends use. */
export interface AuditBackendServices extends BackendServices {
  readonly standardOutput: Writable;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

/**
 * Attempts at one batch, and the sum of the pauses between them as a multiple of the first: each is at most half as
 * long again as the one before.
 */
const attempts = 5;
const pausesInAll = 1 + 1.5 + 1.5 ** 2 + 1.5 ** 3;
/** Time that posting a batch may take besides the pauses. */
const postingMs = 30_000;

/** Creates the backends that the options name; files and connections are opened with the first event. */
export function createBackends(
  { log, webhook }: AuditOptions,
  services: AuditBackendServices,
): AuditBackend[] {
  return [
    ...(log === undefined ? [] : [new AuditBackend(log.delivery, logSink(log, services), services)]),
    ...(webhook === undefined
      ? []
      : [new AuditBackend(webhook.delivery, remoteSink(webhook, services), services)]),
  ];
}

function logSink(
  log: AuditLogOptions,
  { standardOutput, clock, logger, now }: AuditBackendServices,
): AuditSink {
  const { path } = log;
  if (path === undefined) return lineStream(standardOutput);
  const failures = new FailureLog({
    log: logger.child({ component: 'audit', backend: 'log' }),
    failed: 'the audit log cannot be rotated, or its backups tidied',
    now,
  });
  return new RotatingFile({ ...log, path, clock, onBackupFailure: error => failures.failed(error) });
}

function remoteSink(
  { configuration, initialBackoffMs }: AuditWebhookOptions,
  { random }: AuditBackendServices,
): AuditSink {
  const webhook = createRemoteWebhook({
    configuration,
    userAgent: 'binnacle-audit',
    timeoutMs: postingMs + Math.ceil(initialBackoffMs * pausesInAll),
    retry: { attempts, backoffMs: initialBackoffMs },
    random,
  });
  return webhookSink(webhook);
}

const listStart = `{"kind":"EventList","apiVersion":"${auditApiVersion}","metadata":{},"items":[`;

/** Posts events as an EventList; retries are the webhook's. The content of a successful answer is ignored. */
function webhookSink(webhook: RemoteWebhook): AuditSink {
  return {
    async write(events, signal) {
      const body = Buffer.from(`${listStart}${events.join(',')}]}`);
      try {
        await webhook.post(body, { signal });
      } catch (error) {
        // Collectors answer with an empty body, or a text.
        if (!(error instanceof RemoteWebhookError && error.kind === 'answer')) throw error;
      }
    },
    [Symbol.asyncDispose]: () => webhook[Symbol.asyncDispose](),
  };
}
