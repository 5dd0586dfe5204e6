import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { namespaceType } from '../pods/namespace-metadata.ts';
import { podSecurityConfigurationFrom } from './configuration.ts';
import { workloads } from './pod-template.ts';
import { validateNamespace } from './validate-namespace.ts';
import { type PodSecuritySources, validatePod, validateWorkload } from './validate-pod.ts';

const podType = { group: '', version: 'v1', resource: 'pods' };

/** PodSecurity, on by default: namespaces say by labels which of the standard levels their pods are held to. */
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
