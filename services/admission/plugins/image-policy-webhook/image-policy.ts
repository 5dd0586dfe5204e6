import { resolve } from 'node:path';
import { groups } from '@binnacle/api-names';
import { formatApiVersion, type JsonObject } from '@binnacle/api-objects';
import { asObject, asText } from '@binnacle/api-types';
import type { FollowedFiles } from '@binnacle/backend-access';
import { FlagError } from '@binnacle/flags';
import type { PluginConfiguration } from '../../chain/plugin-registration.ts';
import { imageReviewVersion } from './image-review.ts';
import { type Backend, readBackend } from './read-backend.ts';

/** The configuration of the plugin, with the backend that it names. */
export interface ImagePolicy {
  /** The apiVersion of the ImageReview that is sent to the backend. */
  readonly apiVersion: string;
  /** The latest backend: its file is followed. */
  readonly backend: Backend;
  /** Milliseconds for which an allowed verdict is cached; 0: not at all. Default: 5 minutes. */
  readonly allowTtlMs: number;
  /** Milliseconds for which a denied verdict is cached; 0: not at all. Default: 30 seconds. */
  readonly denyTtlMs: number;
  /** Milliseconds before the first retry. Default: 500. */
  readonly retryBackoffMs: number;
  /** Whether pods are admitted when the backend fails. */
  readonly defaultAllow: boolean;
}

const fields: readonly string[] = ['kubeConfigFile', 'allowTTL', 'denyTTL', 'retryBackoff', 'defaultAllow'];
const off = -1;

/** Reads `imagePolicy` and the client configuration file that it names, which is followed; throws a FlagError for invalid content. */
export function parseImagePolicy(
  configuration: PluginConfiguration | undefined,
  files?: FollowedFiles,
): ImagePolicy {
  const { imagePolicy } = configuration?.document ?? {};
  const policy = asObject(imagePolicy);
  if (configuration === undefined || policy === undefined)
    throw problem('it needs a configuration with imagePolicy');
  const unknown = Object.keys(policy).find(field => !fields.includes(field));
  if (unknown !== undefined) throw problem(`imagePolicy has the unknown field ${JSON.stringify(unknown)}`);
  const { kubeConfigFile, defaultAllow = false } = policy;
  const file = asText(kubeConfigFile);
  if (file === '') throw problem('imagePolicy.kubeConfigFile is missing');
  if (typeof defaultAllow !== 'boolean') throw problem('imagePolicy.defaultAllow must be true or false');
  const path = resolve(configuration.directory, file);
  const first = readBackend(path);
  const current = files?.follow('client configuration of ImagePolicyWebhook', {
    first,
    read: async () => readBackend(path),
  });
  return {
    apiVersion: formatApiVersion({
      group: configuration.names.groupName(groups.imagepolicy),
      version: imageReviewVersion,
    }),
    get backend() {
      return current?.() ?? first;
    },
    allowTtlMs: 1000 * span(policy, 'allowTTL', { fallback: 300, least: 1, most: 1800 }),
    denyTtlMs: 1000 * span(policy, 'denyTTL', { fallback: 30, least: 1, most: 1800 }),
    retryBackoffMs: span(policy, 'retryBackoff', { fallback: 500, least: 1, most: 300_000 }),
    defaultAllow,
  };
}

/** Reads a duration: 0 and an absent value mean the default, -1 means none. */
function span(
  policy: JsonObject,
  field: string,
  { fallback, least, most }: { readonly fallback: number; readonly least: number; readonly most: number },
): number {
  const value = policy[field] ?? 0;
  if (value === 0) return fallback;
  if (value === off) return 0;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw problem(`imagePolicy.${field} must be from ${least} to ${most}, or -1 for none`);
  return value;
}

function problem(what: string): FlagError {
  return new FlagError(`admission plugin ImagePolicyWebhook: ${what}`);
}
