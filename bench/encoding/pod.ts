import type { JsonObject } from '@binnacle/api-objects';

const probe: JsonObject = {
  httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' },
  initialDelaySeconds: 5,
  periodSeconds: 10,
};

/** A container with thirty values in it, as deployments have them. */
const container: JsonObject = {
  name: 'web',
  image: 'registry.example/shop/web:1.27.3',
  command: ['/usr/bin/web'],
  args: ['--port=8080', '--verbose'],
  workingDir: '/srv',
  ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
  env: [
    { name: 'MODE', value: 'production' },
    { name: 'NODE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } },
  ],
  resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
  volumeMounts: [{ name: 'data', mountPath: '/data', readOnly: true }],
  livenessProbe: probe,
  readinessProbe: probe,
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
  securityContext: { runAsNonRoot: true, runAsUser: 1000, capabilities: { drop: ['ALL'] } },
};

/** The pod that is encoded and decoded. */
export const pod: JsonObject = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    name: 'web-7d4b9c6f5d-x2x7k',
    generateName: 'web-7d4b9c6f5d-',
    namespace: 'shop',
    uid: '4b8f2a52-0c6e-4c0e-9e41-6b2f6c1f8a01',
    resourceVersion: '123456',
    creationTimestamp: '2024-02-29T12:00:00Z',
    labels: { app: 'web', 'pod-template-hash': '7d4b9c6f5d' },
  },
  spec: {
    containers: [container],
    volumes: [{ name: 'data', configMap: { name: 'web', defaultMode: 420 } }],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: 'web',
    nodeName: 'node-17',
    schedulerName: 'default-scheduler',
  },
  status: { phase: 'Running', qosClass: 'Burstable', podIP: '10.1.2.3' },
};
