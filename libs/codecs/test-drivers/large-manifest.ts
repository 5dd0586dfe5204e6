/** About a manifest of custom definitions as large as they come: 1.3 MB and 36,000 members. */
export function largeManifest(): string {
  const property = (indent: string, name: string) =>
    [
      `${name}:`,
      '  description: |-',
      '    What the field is for, and what happens when it is left out.',
      '    The default is decided by the controller.',
      '  type: object',
      '  x-cluster-map-type: atomic',
      '  properties:',
      '    name: {type: string, description: "the name; it cannot be changed"}',
    ]
      .map(line => indent + line)
      .join('\n');
  return [
    'apiVersion: apiextensions.cluster.io/v1',
    'kind: CustomResourceDefinition',
    'metadata:',
    '  name: widgets.example.com',
    'spec:',
    '  versions:',
    '  - name: v1',
    '    schema:',
    '      openAPIV3Schema:',
    '        type: object',
    '        properties:',
    ...Array.from({ length: 4500 }, (_, i) => property('          ', `field${i}`)),
    '',
  ].join('\n');
}
