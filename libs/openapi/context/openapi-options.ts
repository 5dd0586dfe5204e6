/** Options of the documents. */
export interface OpenApiOptions {
  /** Whether extensions are published under their Kubernetes names too, where these differ; default: true. */
  readonly kubernetesClientCompatibility?: boolean;
  /** Whether the paths of group aliases are described too; default: false. */
  readonly aliasGroups?: boolean;
  /** Whether the issuer discovery documents of service account tokens are served; default: false. */
  readonly issuerDiscovery?: boolean;
  /** Whether the schemas of built-in kinds list the allowed values of fields; default: true. */
  readonly enumerations?: boolean;
  /** The server version, as in `/version`. */
  readonly serverVersion: string;
}
