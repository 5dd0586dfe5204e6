/** Types for the parts of the package that tests use, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  /** The grant of an account to a client. */
  export interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  /** A request to the provider as its hooks get it. */
  export interface ProviderContext {
    readonly oidc: {
      readonly client: { readonly clientId: string };
      readonly session: { readonly accountId: string };
      readonly provider: Provider;
    };
  }

  /** An OpenID provider. */
  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (fields: {
      clientId: string;
      accountId: string;
    }) => Grant;
    callback(): RequestListener;
    /** Answers the request with a redirect back into the flow. */
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { readonly login: { readonly accountId: string } },
    ): Promise<void>;
  }
}
