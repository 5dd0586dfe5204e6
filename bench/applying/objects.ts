import type { JsonObject } from '@binnacle/api-objects';

const labels = { 'app.example.com/name': 'web', 'app.example.com/part': 'front' };

/** A Deployment with forty values, its identity not among them; `turn` stands in one. */
export function deploymentOfFortyFields(name: string, turn: number): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels, annotations: { 'example.com/turn': String(turn) } },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 30,
          serviceAccountName: 'web',
          nodeSelector: { zone: 'a' },
          containers: [container('web', 8080), container('proxy', 9090)],
          volumes: [{ name: 'data', configMap: { name: 'web-data' } }],
        },
      },
    },
  };
}

function container(name: string, port: number): JsonObject {
  return {
    name,
    image: `registry.example/shop/${name}:1.27.3`,
    args: ['--verbose'],
    ports: [{ name: 'http', containerPort: port }],
    env: [{ name: 'MODE', value: 'production' }],
    resources: { limits: { cpu: '500m', memory: '256Mi' } },
    readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 10 },
  };
}
