import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { FormOptions, StartForm } from '../../conformance/drivers/running-form.ts';
import { formOfTests } from '../client-tours.ts';
import { registerCertManagerTests } from './cert-manager-tests.ts';
import { registerPrometheusOperatorTests } from './prometheus-operator-tests.ts';
import { createOperatorSteps, type OperatorSteps, operatorProgram } from './steps.ts';

const programs = ['controller', 'cainjector', 'webhook', 'helm', 'operator', 'admission-webhook'];
const missing = programs.find(name => !existsSync(operatorProgram(name)));

interface OperatorTestOptions {
  readonly flags?: FormOptions['flags'];
  /** Why the tests cannot run here. */
  readonly skip?: string | false;
  /** Namespaces that the operators expect to be there. */
  readonly namespaces?: readonly string[];
}

/**
 * Registers what cert-manager and prometheus-operator do on a form: each installed as its project publishes it, each program with
 * its own service account, and with no flag but those that say where it listens and those without which it does not work.
 */
export function registerOperatorTests(
  what: string,
  startForm: StartForm,
  { flags = {}, skip = false, namespaces = [] }: OperatorTestOptions,
): void {
  describe(
    `operators of other projects on ${what}`,
    missing === undefined
      ? { skip }
      : { skip: `${missing} is not there: node tests/clients/install.ts operators builds it` },
    () => {
      const form = formOfTests(startForm, flags);
      let created: OperatorSteps | undefined;
      const steps = (): OperatorSteps => {
        if (created === undefined) throw new Error('the form has not been started');
        return created;
      };
      before(async () => {
        created = createOperatorSteps(form());
        for (const namespace of namespaces) await created.output('create', 'namespace', namespace);
      });
      // They end before the server does.
      after(() => created?.[Symbol.asyncDispose]());
      registerCertManagerTests(steps);
      registerPrometheusOperatorTests(steps);
      test('no operator ended, and no request of one was refused', async () =>
        assert.deepEqual(await steps().failures(), []));
    },
  );
}
