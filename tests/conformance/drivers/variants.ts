import type { ConformanceServer } from './conformance-server.ts';

/**
 * A server with other switches than the one under test, for all that has to be seen of flags which do not get into each
 * other's way: gates, versions and resources on and off, a start that was late, annotated requests in the log.
 */
export function withOtherSwitches(server: ConformanceServer): Promise<ConformanceServer> {
  return server.variant({
    'feature-gates': 'APIListChunking=false,ServerSideFieldValidation=false,DryRun=true',
    'runtime-config': [
      'batch/v1=false',
      'events.cluster.io/v1',
      'storage.cluster.io/v1beta1=true',
      'autoscaling/v1=false',
      'apps/v1=false',
      'apps/v1/deployments',
      'networking.cluster.io/v1alpha1',
      'authentication.cluster.io/v1alpha1=true',
    ].join(','),
    'allow-loopback-proxy': 'true',
    'livez-grace-period': '1ms',
    'log-level': 'info',
    'access-log': 'annotated',
  });
}
