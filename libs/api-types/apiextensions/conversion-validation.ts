import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import { clientConfigErrors } from '../admissionregistration/client-config.ts';
import { reviewVersionErrors } from '../admissionregistration/webhooks.ts';
import type { CustomResourceConversion } from '../generated/apiextensions/v1.ts';

const notAsked = 'should not be set when strategy is not set to Webhook';

/** The findings about how objects are converted between versions; clients know the webhook's fields at these paths. */
export function conversionErrors(conversion: CustomResourceConversion, path: FieldPath): FieldError[] {
  const { strategy = '', webhook } = conversion;
  const config = webhook?.clientConfig;
  const at = path.child('webhookClientConfig');
  const versionsPath = path.child('conversionReviewVersions');
  switch (strategy) {
    case 'None':
      return [
        ...(config ? [forbiddenField(at, notAsked)] : []),
        ...(webhook?.conversionReviewVersions ? [forbiddenField(versionsPath, notAsked)] : []),
      ];
    case 'Webhook':
      return [
        ...(config
          ? clientConfigErrors(config, at)
          : [requiredField(at, 'required when strategy is set to Webhook')]),
        ...reviewVersionErrors(webhook?.conversionReviewVersions ?? [], versionsPath),
      ];
    case '':
      return [requiredField(path.child('strategy'))];
    default:
      return [notSupportedField(path.child('strategy'), strategy, ['None', 'Webhook'])];
  }
}
