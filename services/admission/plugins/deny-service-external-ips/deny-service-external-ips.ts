import type { Service } from '@binnacle/api-types/core/v1';
import { forbidden } from '@binnacle/status-errors';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout, reviewedName } from '../../chain/review.ts';

/** DenyServiceExternalIPs, off by default: refuses external addresses that a service does not have already. */
export const denyServiceExternalIps: PluginRegistration = {
  name: 'DenyServiceExternalIPs',
  byDefault: false,
  concerns: ['/services'],
  create: () => ({
    name: 'DenyServiceExternalIPs',
    async validate(review) {
      const { object, oldObject } = review;
      if (object === undefined || !isAbout(review, '', 'services')) return;
      const had = new Set(oldObject === undefined ? [] : readExternalIps(oldObject));
      if (readExternalIps(object).every(address => had.has(address))) return;
      throw forbidden(review.definition, reviewedName(review), 'external IPs may not be added to services');
    },
  }),
};

function readExternalIps({ spec }: Service): string[] {
  return spec?.externalIPs ?? [];
}
