import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { namespaceType } from '../pods/namespace-metadata.ts';
import { podSecurityConfigurationFrom } from './configuration.ts';
import { workloads } from './pod-template.ts';
import { validateNamespace } from './validate-namespace.ts';
import { type PodSecuritySources, validatePod, validateWorkload } from './validate-pod.ts';

const podType = { group: '', version: 'v1', resource: 'pods' };

/** PodSecurity, on by default: holds pods to the standard level that the labels of their namespace name. */
export const podSecurity: PluginRegistration = {
  name: 'PodSecurity',
  byDefault: true,
  concerns: ['/namespaces', '/pods', ...workloads],
  configurable: true,
  create({ objects, configuration }) {
    const sources: PodSecuritySources = {
      namespaces: objects.reader(namespaceType),
      pods: objects.reader(podType),
      configuration: podSecurityConfigurationFrom(configuration),
    };
    return {
      name: 'PodSecurity',
      async validate(review) {
        await validateNamespace(review, sources);
        await validatePod(review, sources);
        await validateWorkload(review, sources);
      },
    };
  },
};
