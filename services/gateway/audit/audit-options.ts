import type { ClientConfiguration } from '@binnacle/client';
import type { DeliveryOptions } from './delivery/audit-backend.ts';
import type { BackupRules } from './delivery/backups.ts';
import type { AuditPolicy } from './policy/audit-policy.ts';

/** The audit policy and the backends of its events. */
export interface AuditOptions {
  readonly policy: AuditPolicy;
  /** Undefined: no log. */
  readonly log: AuditLogOptions | undefined;
  /** Undefined: no webhook. */
  readonly webhook: AuditWebhookOptions | undefined;
}

/** A log with one line for each event. */
export interface AuditLogOptions extends BackupRules {
  /** Undefined: standard output. */
  readonly path: string | undefined;
  /** Bytes of the file, beyond which it becomes a backup. */
  readonly maxBytes: number;
  readonly delivery: DeliveryOptions;
}

/** A webhook that events are posted to. */
export interface AuditWebhookOptions {
  readonly configuration: ClientConfiguration;
  /** Milliseconds before the second try of a batch; each later pause is half as long again. */
  readonly initialBackoffMs: number;
  readonly delivery: DeliveryOptions;
}
