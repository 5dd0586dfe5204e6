import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  type JsonObject,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import { clientConfigErrors } from '../admissionregistration/client-config.ts';
import { reviewVersionErrors } from '../admissionregistration/webhooks.ts';
import { asObject, asText, asTexts } from '../values/json-access.ts';

const notAsked = 'should not be set when strategy is not set to Webhook';

/** The findings about how objects are converted between versions; clients know the webhook's fields at these paths. */
export function conversionErrors(conversion: JsonObject, path: FieldPath): FieldError[] {
  const strategy = asText(conversion['strategy']);
  const webhook = asObject(conversion['webhook']);
  const config = asObject(webhook?.['clientConfig']);
  const at = path.child('webhookClientConfig');
  const versionsPath = path.child('conversionReviewVersions');
  switch (strategy) {
    case 'None':
      return [
        ...(config ? [forbiddenField(at, notAsked)] : []),
        ...(webhook?.['conversionReviewVersions'] ? [forbiddenField(versionsPath, notAsked)] : []),
      ];
    case 'Webhook':
      return [
        ...(config
          ? clientConfigErrors(config, at)
          : [requiredField(at, 'required when strategy is set to Webhook')]),
        ...reviewVersionErrors(asTexts(webhook?.['conversionReviewVersions']), versionsPath),
      ];
    case '':
      return [requiredField(path.child('strategy'))];
    default:
      return [notSupportedField(path.child('strategy'), strategy, ['None', 'Webhook'])];
  }
}
