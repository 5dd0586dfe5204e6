/** Creates a manifest of custom resource definitions larger than any in use: 0.9 MB and 23,000 members. */
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
    ...Array.from({ length: 2900 }, (_, i) => property('          ', `field${i}`)),
    '',
  ].join('\n');
}
