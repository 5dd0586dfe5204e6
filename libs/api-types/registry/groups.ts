import {
  admissionregistrationV1,
  admissionregistrationV1alpha1,
} from '../admissionregistration/resources.ts';
import { apiextensionsV1 } from '../apiextensions/resources.ts';
import { apiregistrationV1 } from '../apiregistration/resources.ts';
import { appsV1 } from '../apps/resources.ts';
import { authenticationV1, authenticationV1alpha1 } from '../authentication/resources.ts';
import { authorizationV1 } from '../authorization/resources.ts';
import { autoscalingV1, autoscalingV2 } from '../autoscaling/resources.ts';
import { batchV1 } from '../batch/resources.ts';
import { certificatesV1 } from '../certificates/resources.ts';
import { coordinationV1 } from '../coordination/resources.ts';
import { coreV1 } from '../core/resources.ts';
import type { GroupVersionDeclaration } from '../definitions/resource-declaration.ts';
import { discoveryV1 } from '../discovery/resources.ts';
import { eventsV1 } from '../events/resources.ts';
import { flowcontrolV1beta2, flowcontrolV1beta3 } from '../flowcontrol/resources.ts';
import { networkingV1, networkingV1alpha1 } from '../networking/resources.ts';
import { nodeV1 } from '../node/resources.ts';
import { policyV1 } from '../policy/resources.ts';
import { rbacV1 } from '../rbac/resources.ts';
import { schedulingV1 } from '../scheduling/resources.ts';
import { storageV1, storageV1beta1 } from '../storage/resources.ts';

/** All built-in group versions. */
export const groupVersions: readonly GroupVersionDeclaration[] = [
  coreV1,
  appsV1,
  autoscalingV2,
  autoscalingV1,
  batchV1,
  policyV1,
  rbacV1,
  admissionregistrationV1,
  admissionregistrationV1alpha1,
  apiextensionsV1,
  apiregistrationV1,
  authenticationV1,
  authenticationV1alpha1,
  authorizationV1,
  certificatesV1,
  flowcontrolV1beta3,
  flowcontrolV1beta2,
  coordinationV1,
  discoveryV1,
  eventsV1,
  networkingV1,
  networkingV1alpha1,
  nodeV1,
  schedulingV1,
  storageV1,
  storageV1beta1,
];
