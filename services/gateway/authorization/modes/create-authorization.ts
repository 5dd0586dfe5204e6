import type { TypeRegistry } from '@binnacle/api-types';
import { type ClientConfiguration, createRemoteWebhook } from '@binnacle/client';
import type { Logger, Metrics } from '@binnacle/telemetry';
import type { WatchCache } from '@binnacle/watch-cache';
import type { AuthorizationMode } from '../../settings/authorization-flags.ts';
import type { GatewaySettings } from '../../settings/gateway-settings.ts';
import { createAbacAuthorizer } from '../abac/create-abac-authorizer.ts';
import type { AbacPolicy } from '../abac/policy-file.ts';
import { type Authorizer, alwaysAllow, alwaysDeny } from '../authorizer.ts';
import type { FollowingAuthorizer } from '../following-authorizer.ts';
import { createNodeAuthorizer } from '../node/create-node-authorizer.ts';
import { createRbacAuthorizer } from '../rbac/create-rbac-authorizer.ts';
import { createUnionAuthorizer } from '../union-authorizer.ts';
import { createWebhookAuthorizer, type WebhookAuthorizer } from '../webhook/create-webhook-authorizer.ts';
import { createWebhookMetrics } from '../webhook/webhook-metrics.ts';

/** The content of authorizers' files. */
export interface AuthorizerFiles {
  /** The policies of the mode ABAC. */
  readonly policies?: readonly AbacPolicy[];
  /** The client configuration of the webhook of the mode Webhook. */
  readonly webhook?: ClientConfiguration;
}

/** Options of authorization. */
export interface AuthorizationOptions {
  readonly settings: Pick<
    GatewaySettings,
    | 'authorizationMode'
    | 'authorizationWebhookVersion'
    | 'authorizationWebhookCacheAuthorizedTtl'
    | 'authorizationWebhookCacheUnauthorizedTtl'
  >;
  readonly files: AuthorizerFiles | undefined;
  readonly registry: TypeRegistry;
  readonly watchCache: WatchCache;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

/** The authorizers of a gateway, as one. */
export interface Authorization extends AsyncDisposable {
  readonly authorizer: Authorizer;
  /** Begins to follow the watch cache, which must be ready; resolves once the authorizers have what they decide by. */
  start(): Promise<void>;
  readonly isStarted: boolean;
  /** Throws when the last call of the webhook failed; undefined: there is no webhook. */
  readonly assertWebhookWorks: (() => void) | undefined;
}

/** Timeout of a call with its retries; requests that wait for it have deadlines of their own. */
const webhookTimeoutMs = 30_000;
/** Retries of a call, as in kube-apiserver. */
const webhookRetry = { attempts: 5, backoffMs: 500 };

/** Creates the authorizers of `--authorization-mode`, in its order. Throws when one of them lacks its file. */
export function createAuthorization(options: AuthorizationOptions): Authorization {
  const stack = new AsyncDisposableStack();
  const following: FollowingAuthorizer[] = [];
  let webhook: WebhookAuthorizer | undefined;
  const follow = (authorizer: FollowingAuthorizer): Authorizer => {
    following.push(stack.use(authorizer));
    return authorizer;
  };
  const create: Readonly<Record<AuthorizationMode, () => Authorizer>> = {
    RBAC: () => follow(createRbacAuthorizer(options)),
    Node: () => follow(createNodeAuthorizer(options)),
    ABAC: () => createAbacAuthorizer(requireSetting('ABAC', 'policies', options.files?.policies)),
    Webhook: () => {
      webhook = webhookAuthorizer(options, stack);
      return webhook;
    },
    AlwaysAllow: () => alwaysAllow,
    AlwaysDeny: () => alwaysDeny,
  };
  const authorizer = createUnionAuthorizer(options.settings.authorizationMode.map(mode => create[mode]()));
  return {
    authorizer,
    async start() {
      await Promise.all(following.map(each => each.start()));
    },
    get isStarted() {
      return following.every(({ isStarted }) => isStarted);
    },
    assertWebhookWorks: webhook?.assertWorks,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function webhookAuthorizer(options: AuthorizationOptions, stack: AsyncDisposableStack): WebhookAuthorizer {
  const { settings, files, metrics, logger, random } = options;
  const webhook = createRemoteWebhook({
    configuration: requireSetting('Webhook', 'client configuration', files?.webhook),
    userAgent: 'binnacle-gateway',
    timeoutMs: webhookTimeoutMs,
    retry: webhookRetry,
    random,
  });
  stack.use(webhook);
  return createWebhookAuthorizer({
    ...options,
    webhook,
    version: settings.authorizationWebhookVersion,
    authorizedTtlMs: settings.authorizationWebhookCacheAuthorizedTtl,
    unauthorizedTtlMs: settings.authorizationWebhookCacheUnauthorizedTtl,
    metrics: createWebhookMetrics(metrics),
    logger: logger.child({ component: 'authorization-webhook' }),
  });
}

function requireSetting<T>(mode: AuthorizationMode, what: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`the authorization mode ${mode} needs its ${what}`);
  return value;
}
