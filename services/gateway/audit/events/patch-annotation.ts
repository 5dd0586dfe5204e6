import { auditKeys } from '@binnacle/api-names';

/** Whether an annotation holds the patch of a webhook, which can be data of a Secret: for audit events of level Request or higher. */
export function isPatchAnnotation(key: string): boolean {
  return key.startsWith(auditKeys.patch);
}
