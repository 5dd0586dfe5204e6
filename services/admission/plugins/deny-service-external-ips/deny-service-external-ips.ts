import type { ApiObject } from '@binnacle/api-objects';
import { asObject, asTexts } from '@binnacle/api-types';
import { forbidden } from '@binnacle/status-errors';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout, nameOf } from '../../chain/review.ts';

/** DenyServiceExternalIPs, off by default: no service gets external addresses that it does not have already. */
export const denyServiceExternalIps: PluginRegistration = {
  name: 'DenyServiceExternalIPs',
  byDefault: false,
  concerns: ['/services'],
  create: () => ({
    name: 'DenyServiceExternalIPs',
    async validate(review) {
      const { object, oldObject } = review;
      if (object === undefined || !isAbout(review, '', 'services')) return;
      const had = new Set(oldObject === undefined ? [] : externalIpsOf(oldObject));
      if (externalIpsOf(object).every(address => had.has(address))) return;
      throw forbidden(review.definition, nameOf(review), 'external IPs may not be added to services');
    },
  }),
};

function externalIpsOf(service: ApiObject): string[] {
  return asTexts(asObject(service['spec'])?.['externalIPs']);
}
