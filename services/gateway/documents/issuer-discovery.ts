import type { Logger } from '@binnacle/telemetry';
import { type IssuerDiscoveryOptions, type IssuerDocument, issuerDocuments } from './issuer-documents.ts';

/** The documents of this server about the issuer of service-account tokens. */
export interface IssuerDiscovery {
  /** Makes the documents once the address of the server is known; where there can be none, the log says why. */
  publish(serverAddress: string): void;
  /** The documents by their path; empty before they are made, and where there can be none. */
  documents(): ReadonlyMap<string, IssuerDocument>;
}

/** Creates the discovery of an issuer; undefined: the server takes no service-account tokens. */
export function createIssuerDiscovery(
  options: IssuerDiscoveryOptions | undefined,
  log: Logger,
): IssuerDiscovery {
  let documents: ReadonlyMap<string, IssuerDocument> = new Map();
  return {
    publish(serverAddress) {
      if (options === undefined) return;
      try {
        documents = issuerDocuments(options, serverAddress);
      } catch (error) {
        log.warn('the issuer of service-account tokens cannot be discovered', { error });
      }
    },
    documents: () => documents,
  };
}
