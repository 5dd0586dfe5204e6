/** The name of a message among the definitions: its domain the other way round, `io.cluster.api.core.v1.ConfigMap`. */
export function definitionName(fullName: string): string {
  return fullName.replace(/^cluster\.io\./, 'io.cluster.');
}
