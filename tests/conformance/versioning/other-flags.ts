/**
 * Flags of one server beside the one under test, for all that has to be seen of flags which do not get in each other's
 * way: a gate that is off, versions switched on and off, a start that has to be done in time.
 */
export const otherFlags: Readonly<Record<string, string>> = {
  'feature-gates': 'ServerSideFieldValidation=false,DryRun=true',
  'livez-grace-period': '1ms',
  'runtime-config': [
    'autoscaling/v1=false',
    'apps/v1=false',
    'apps/v1/deployments',
    'networking.cluster.io/v1alpha1',
    'authentication.cluster.io/v1alpha1=true',
    'storage.cluster.io/v1beta1=false',
  ].join(','),
};
