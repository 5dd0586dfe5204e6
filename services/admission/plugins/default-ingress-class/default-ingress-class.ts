import { groups, understood } from '@binnacle/api-names';
import type { Ingress } from '@binnacle/api-types/networking/v1';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout, objectToChange } from '../../chain/review.ts';
import { createDefaultClassSource } from '../../sources/default-class.ts';

const group = groups.networking;
const ingressClasses = { group, version: 'v1', resource: 'ingressclasses' };
const { defaultIngressClass: defaultAnnotations, ingressClass: classAnnotations } = understood.annotations;

/**
 * DefaultIngressClass, on by default: an ingress that names no class, neither in its field nor in the older annotation,
 * gets the default class; of several the newest, then the first by name.
 */
export const defaultIngressClass: PluginRegistration = {
  name: 'DefaultIngressClass',
  byDefault: true,
  concerns: [`${group}/ingresses`],
  operations: ['CREATE'],
  reads: [ingressClasses],
  create({ objects }) {
    const defaultClass = createDefaultClassSource(objects.reader(ingressClasses), ({ metadata }) =>
      defaultAnnotations.some(key => metadata.annotations?.[key] === 'true'),
    );
    return {
      name: 'DefaultIngressClass',
      async mutate(review) {
        const { object, operation, call } = review;
        if (operation !== 'CREATE' || object === undefined || !isAbout(review, group, 'ingresses'))
          return 'unchanged';
        const { spec, metadata }: Ingress = object;
        const { annotations = {} } = metadata;
        if (spec?.ingressClassName !== undefined || classAnnotations.some(key => key in annotations))
          return 'unchanged';
        const name = await defaultClass(call);
        if (name === undefined) return 'unchanged';
        const ingress: Ingress = objectToChange(review);
        ingress.spec ??= {};
        ingress.spec.ingressClassName = name;
        return 'changed';
      },
    };
  },
};
