import { join } from 'node:path';
import { describe } from 'node:test';
import type { StartForm } from '../conformance/drivers/running-form.ts';
import { registerCustomKubectlJourney } from '../journeys/kubectl/custom-types-journey.ts';
import { createKubectl } from '../journeys/kubectl/kubectl.ts';
import { registerKubectlJourney } from '../journeys/kubectl/kubectl-journey.ts';
import { formOfTests, registerTours } from './client-tours.ts';

/** Registers the tours and journeys that unmodified clients of Kubernetes take of a form, which is started once for all. */
export function registerClientTests(what: string, startForm: StartForm): void {
  describe(`unmodified clients on ${what}`, () => {
    const form = formOfTests(startForm, {});
    registerTours(form);
    const kubectl = () => createKubectl(form().configuration, join(form().directory, 'kubectl-cache'));
    registerKubectlJourney(what, kubectl);
    registerCustomKubectlJourney(what, kubectl);
  });
}
