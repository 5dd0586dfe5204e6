import type { Admission } from '@binnacle/admission-contract';
import type { AddedTypes } from '@binnacle/api-types';
import type { TokenReviewService, WebhookDispatchService } from '@binnacle/proto';
import type { Logger, Metrics } from '@binnacle/service-kit';
import type { Storage } from '@binnacle/storage-contract';
import type { ChangeFeed } from '@binnacle/watch-cache';
import type { AuditOptions } from './audit/audit-options.ts';
import type { AuthorizerFiles } from './authorization/modes/create-authorization.ts';
import type { IssuerDiscoveryOptions } from './discovery/issuer-documents.ts';
import type { CurrentRevision } from './read/consistent-read.ts';
import type { ServingTls } from './server/secure-context-options.ts';
import type { GatewaySettings } from './settings/gateway-settings.ts';
import type { TokenIssuerOptions } from './subresources/token-issuer.ts';

/** Options of a gateway: settings, and the services that it calls. */
export interface GatewayOptions extends Partial<GatewaySettings> {
  readonly storage: Storage;
  /**
   * The answer of `storage.typeRevision`, without a wait, where the store lies in this process; undefined, itself or its answer: the
   * store has to be asked.
   */
  readonly currentRevision?: CurrentRevision;
  readonly admission: Admission;
  readonly tokenReview: TokenReviewService;
  /** The service that calls conversion webhooks; undefined: conversions by webhooks fail. */
  readonly webhookDispatch?: WebhookDispatchService;
  /** The `host:port` of the services and brokers behind this gateway; proxies lead to none of them. */
  readonly backendHosts?: readonly string[];
  /** Types beside the built-in ones. */
  readonly addedTypes?: AddedTypes;
  readonly changeFeed: ChangeFeed;
  /** Undefined: nothing is audited. */
  readonly audit?: AuditOptions | undefined;
  /** The issuer of service-account tokens; undefined: none are issued. */
  readonly serviceAccountTokens?: TokenIssuerOptions;
  /** The files of the authorizers of the chosen modes. */
  readonly authorizerFiles?: AuthorizerFiles;
  /** The documents about the issuer of service-account tokens; undefined: none. */
  readonly issuerDiscovery?: IssuerDiscoveryOptions;
  /** False: plain HTTP, behind a load balancer that ends TLS; client certificates then mean nothing. */
  readonly tls: ServingTls | false;
  /** Reads the certificates anew, for those that change while the server runs; undefined: they do not. */
  readonly readTls?: () => Promise<ServingTls | false>;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** 0 to 1. */
  readonly random?: () => number;
}
