import { readFile } from 'node:fs/promises';
import { isJsonObject } from '@binnacle/api-objects';
import type { FollowedFiles } from '@binnacle/backend-access';
import { followClientConfiguration, loadClientConfiguration } from '@binnacle/client';
import { parseYaml } from '@binnacle/codecs/texts';
import { FlagError } from '@binnacle/flags';
import { errorMessage } from '@binnacle/status-errors';
import type { AuditSettings } from '../settings/audit-flags.ts';
import type { AuditLogOptions, AuditOptions, AuditWebhookOptions } from './audit-options.ts';
import type { DeliveryMode, DeliveryOptions } from './delivery/audit-backend.ts';
import type { AuditPolicy } from './policy/audit-policy.ts';
import { parseAuditPolicy } from './policy/parse-audit-policy.ts';

const mib = 1024 * 1024;
const dayMs = 24 * 3600_000;
const defaultMaxMib = 100;
/** Characters of a batch when events are not truncated. */
const maxBatchLength = 10 * mib;
/** In the blocking modes, events that arrive during a write are written together. */
const blockingBatchSize = 1_000;

/**
 * Reads the audit flags and the files that they name, and follows the client configuration of the webhook; undefined: nothing is audited.
 * Throws a FlagError for an invalid policy or client configuration, and for a backend without a policy.
 */
export async function auditFromFlags(
  settings: AuditSettings,
  files?: FollowedFiles,
): Promise<AuditOptions | undefined> {
  const { auditPolicyFile: file, auditLogPath: path, auditWebhookConfigFile: configuration } = settings;
  if (!file) {
    if (path)
      throw new FlagError('--audit-log-path needs --audit-policy-file: without a policy nothing is audited');
    if (configuration)
      throw new FlagError(
        '--audit-webhook-config-file needs --audit-policy-file: without a policy nothing is audited',
      );
    return undefined;
  }
  return {
    policy: await policyFrom(file),
    log: path ? logFrom(settings, path) : undefined,
    webhook: configuration ? await webhookFrom(settings, configuration, files) : undefined,
  };
}

async function policyFrom(file: string): Promise<AuditPolicy> {
  try {
    const { value, duplicates } = await parseYaml(await readFile(file));
    if (!isJsonObject(value)) throw new Error('it does not hold an object');
    const [duplicate] = duplicates();
    if (duplicate !== undefined) throw new Error(duplicate);
    return parseAuditPolicy(value);
  } catch (error) {
    throw new FlagError(`--audit-policy-file ${file}: ${errorMessage(error)}`);
  }
}

function logFrom(settings: AuditSettings, path: string): AuditLogOptions {
  return {
    path: path === '-' ? undefined : path,
    maxBytes: (settings.auditLogMaxsize || defaultMaxMib) * mib,
    maxBackups: settings.auditLogMaxbackup,
    maxAgeMs: settings.auditLogMaxage * dayMs,
    compress: settings.auditLogCompress,
    delivery: deliveryFrom({
      plugin: 'log',
      mode: settings.auditLogMode,
      bufferSize: settings.auditLogBatchBufferSize,
      maxSize: settings.auditLogBatchMaxSize,
      maxWaitMs: settings.auditLogBatchMaxWait,
      isThrottled: settings.auditLogBatchThrottleEnable,
      perSecond: settings.auditLogBatchThrottleQps,
      burst: settings.auditLogBatchThrottleBurst,
      isTruncated: settings.auditLogTruncateEnabled,
      maxEventLength: settings.auditLogTruncateMaxEventSize,
      maxBatchLength: settings.auditLogTruncateMaxBatchSize,
    }),
  };
}

async function webhookFrom(
  settings: AuditSettings,
  file: string,
  files: FollowedFiles | undefined,
): Promise<AuditWebhookOptions> {
  return {
    configuration: await followClientConfiguration(
      '--audit-webhook-config-file',
      () => configurationFrom(file),
      files,
    ),
    initialBackoffMs: settings.auditWebhookInitialBackoff,
    delivery: deliveryFrom({
      plugin: 'webhook',
      mode: settings.auditWebhookMode,
      bufferSize: settings.auditWebhookBatchBufferSize,
      maxSize: settings.auditWebhookBatchMaxSize,
      maxWaitMs: settings.auditWebhookBatchMaxWait,
      isThrottled: settings.auditWebhookBatchThrottleEnable,
      perSecond: settings.auditWebhookBatchThrottleQps,
      burst: settings.auditWebhookBatchThrottleBurst,
      isTruncated: settings.auditWebhookTruncateEnabled,
      maxEventLength: settings.auditWebhookTruncateMaxEventSize,
      maxBatchLength: settings.auditWebhookTruncateMaxBatchSize,
    }),
  };
}

function configurationFrom(file: string) {
  try {
    const configuration = loadClientConfiguration(file);
    if (!configuration.servers[0]?.startsWith('https://'))
      throw new Error('the server of a webhook must be an https URL');
    return configuration;
  } catch (error) {
    throw new FlagError(`--audit-webhook-config-file: ${errorMessage(error)}`);
  }
}

interface DeliverySettings {
  readonly plugin: DeliveryOptions['plugin'];
  readonly mode: DeliveryMode;
  readonly bufferSize: number;
  readonly maxSize: number;
  readonly maxWaitMs: number;
  readonly isThrottled: boolean;
  readonly perSecond: number;
  readonly burst: number;
  readonly isTruncated: boolean;
  readonly maxEventLength: number;
  readonly maxBatchLength: number;
}

function deliveryFrom(settings: DeliverySettings): DeliveryOptions {
  const { plugin, mode, bufferSize, perSecond, burst, isTruncated } = settings;
  const isBatch = mode === 'batch';
  return {
    plugin,
    mode,
    maxEventLength: isTruncated ? settings.maxEventLength : undefined,
    limits: {
      bufferSize,
      maxBatchSize: isBatch ? settings.maxSize : blockingBatchSize,
      maxWaitMs: isBatch ? settings.maxWaitMs : 0,
      maxBatchLength: isTruncated ? settings.maxBatchLength : maxBatchLength,
      throttle: isBatch && settings.isThrottled ? { perSecond, burst } : undefined,
    },
  };
}
