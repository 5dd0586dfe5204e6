import { admissionregistrationV1, admissionregistrationV1alpha1 } from './admissionregistration/resources.ts';
import { apiextensionsV1 } from './apiextensions/resources.ts';
import { apiregistrationV1 } from './apiregistration/resources.ts';
import { authenticationV1, authenticationV1alpha1 } from './authentication/resources.ts';
import { authorizationV1 } from './authorization/resources.ts';
import { certificatesV1 } from './certificates/resources.ts';
import { coordinationV1 } from './coordination/resources.ts';
import { coreV1 } from './core/resources.ts';
import { flowcontrolV1beta3 } from './flowcontrol/resources.ts';
import { rbacV1 } from './rbac/resources.ts';
import type { GroupVersionDeclaration } from './resource-declaration.ts';

/** Every group and version whose resources are built in. */
export const groupVersions: readonly GroupVersionDeclaration[] = [
  coreV1,
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
  coordinationV1,
];
