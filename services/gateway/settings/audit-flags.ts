import { groups } from '@binnacle/api-names';
import {
  booleanFlag,
  choiceFlag,
  durationFlag,
  type FlagValues,
  flagGroup,
  integerFlag,
  stringFlag,
} from '@binnacle/flags';

const modes = ['batch', 'blocking', 'blocking-strict'] as const;
const modeText =
  'requests do not wait (batch), wait (blocking), or are refused if it fails (blocking-strict).';
const mib = 1024 * 1024;

const logFlags = {
  auditLogPath: stringFlag({
    description: 'File that audit events are written to, one JSON line each; "-" is standard output.',
  }),
  auditLogFormat: choiceFlag(['json'], {
    description: 'Format of the audit log; legacy is not supported.',
    default: 'json',
  }),
  auditLogMaxsize: integerFlag({
    description: 'MiB of the audit log, beyond which it becomes a backup; 0 is 100.',
    default: 0,
    min: 0,
  }),
  auditLogMaxbackup: integerFlag({
    description: 'Backups of the audit log that are kept; 0 is all.',
    default: 0,
    min: 0,
  }),
  auditLogMaxage: integerFlag({
    description: 'Days for which backups of the audit log are kept; 0 is for ever.',
    default: 0,
    min: 0,
  }),
  auditLogCompress: booleanFlag({ description: 'Compression of the backups of the audit log.' }),
  auditLogMode: choiceFlag(modes, {
    description: `Delivery of events to the audit log: ${modeText}`,
    default: 'blocking',
  }),
  auditLogBatchBufferSize: integerFlag({
    description: 'Events that wait for the audit log; more are lost and counted.',
    default: 10_000,
    min: 1,
  }),
  auditLogBatchMaxSize: integerFlag({
    description: 'Events written to the audit log at once in mode batch.',
    default: 1,
    min: 1,
  }),
  auditLogBatchMaxWait: durationFlag({
    description: 'Longest time that an event waits for others in mode batch.',
    default: 0,
  }),
  auditLogBatchThrottleEnable: booleanFlag({
    description: 'Throttling of batches to the audit log in mode batch.',
  }),
  auditLogBatchThrottleQps: integerFlag({
    description: 'Batches to the audit log a second, if they are throttled.',
    default: 10,
    min: 1,
  }),
  auditLogBatchThrottleBurst: integerFlag({
    description: 'Batches to the audit log at once after a pause, if they are throttled.',
    default: 15,
    min: 1,
  }),
  auditLogTruncateEnabled: booleanFlag({
    description: 'Removal of the bodies of events that are too long for the audit log.',
  }),
  auditLogTruncateMaxEventSize: integerFlag({
    description: 'Bytes of an event in the audit log, beyond which its bodies are removed.',
    default: 100 * 1024,
    min: 1024,
  }),
  auditLogTruncateMaxBatchSize: integerFlag({
    description: 'Bytes of a batch to the audit log, if events are truncated.',
    default: 10 * mib,
    min: 1024,
  }),
};

const webhookFlags = {
  auditWebhookConfigFile: stringFlag({
    description: 'Client configuration file of the webhook that audit events are posted to.',
  }),
  auditWebhookInitialBackoff: durationFlag({
    description: 'Time before the second attempt to send a batch of audit events; later pauses are longer.',
    default: 10_000,
    min: 1,
  }),
  auditWebhookMode: choiceFlag(modes, {
    description: `Delivery of events to the audit webhook: ${modeText}`,
    default: 'batch',
  }),
  auditWebhookBatchBufferSize: integerFlag({
    description: 'Events that wait for the audit webhook; more are lost and counted.',
    default: 10_000,
    min: 1,
  }),
  auditWebhookBatchMaxSize: integerFlag({
    description: 'Events posted to the audit webhook at once.',
    default: 400,
    min: 1,
  }),
  auditWebhookBatchMaxWait: durationFlag({
    description: 'Longest time that an event waits for others before it is posted.',
    default: 30_000,
  }),
  auditWebhookBatchThrottleEnable: booleanFlag({
    description: 'Throttling of batches to the audit webhook.',
    default: true,
  }),
  auditWebhookBatchThrottleQps: integerFlag({
    description: 'Batches to the audit webhook a second, if they are throttled.',
    default: 10,
    min: 1,
  }),
  auditWebhookBatchThrottleBurst: integerFlag({
    description: 'Batches to the audit webhook at once after a pause, if they are throttled.',
    default: 15,
    min: 1,
  }),
  auditWebhookTruncateEnabled: booleanFlag({
    description: 'Removal of the bodies of events that are too long for the audit webhook.',
  }),
  auditWebhookTruncateMaxEventSize: integerFlag({
    description: 'Bytes of an event to the audit webhook, beyond which its bodies are removed.',
    default: 100 * 1024,
    min: 1024,
  }),
  auditWebhookTruncateMaxBatchSize: integerFlag({
    description: 'Bytes of a batch to the audit webhook, if events are truncated.',
    default: 10 * mib,
    min: 1024,
  }),
};

/** The flags of the audit. */
export const auditFlags = flagGroup('Audit', {
  auditPolicyFile: stringFlag({
    description: `File with the audit policy (kind Policy of ${groups.audit}/v1); without it nothing is audited.`,
  }),
  ...logFlags,
  ...webhookFlags,
});

/** The values of the audit flags. */
export type AuditSettings = FlagValues<typeof auditFlags>;
