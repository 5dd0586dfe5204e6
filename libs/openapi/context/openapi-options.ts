/** Options of the documents besides the types. */
export interface OpenApiOptions {
  /** Whether extensions have their Kubernetes names beside ours, where those are others; default true. */
  readonly kubernetesClientCompatibility?: boolean;
  /** Whether paths below the other names of groups are described too; default false. */
  readonly aliasGroups?: boolean;
  /** Whether the documents about the issuer of service-account tokens are served; default false. */
  readonly issuerDiscovery?: boolean;
  /** Whether the schemas of built-in kinds say which values a field may have; default true. */
  readonly enumerations?: boolean;
  /** The version of the server, as `/version` says it. */
  readonly serverVersion: string;
}
