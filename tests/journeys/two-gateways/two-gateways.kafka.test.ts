import { after, before } from 'node:test';
import { registerAccountJourney } from './accounts.ts';
import { registerConversionJourney } from './conversion.ts';
import { registerCustomTypesJourney } from './custom-types.ts';
import { registerGarbageJourney } from './garbage.ts';
import { registerGatedFieldsJourney } from './gated-fields.ts';
import { registerPodAdmissionJourney } from './pod-admission.ts';
import { registerQuantityJourney } from './quantities.ts';
import { registerQuotaJourney } from './quota.ts';
import { registerReleaseBeforeJourney } from './release-before.ts';
import { registerReviewJourney } from './reviews.ts';
import { registerRoundTripsJourney } from './round-trips.ts';
import { startTwoGateways, type TwoGateways } from './start-two-gateways.ts';
import { registerWatchJourney } from './watch.ts';
import { registerWholeNumbersJourney } from './whole-numbers.ts';
import { registerWriteJourney } from './writes.ts';

let running: TwoGateways;
before(async () => {
  running = await startTwoGateways();
});
after(() => running?.[Symbol.asyncDispose]());
const gateways = () => running;

registerWatchJourney(gateways);
registerQuotaJourney(gateways);
registerPodAdmissionJourney(gateways);
registerGatedFieldsJourney(gateways);
registerCustomTypesJourney(gateways);
registerConversionJourney(gateways);
registerAccountJourney(gateways);
registerGarbageJourney(gateways);
registerReleaseBeforeJourney(gateways);
registerReviewJourney(gateways);
registerWriteJourney(gateways);
registerWholeNumbersJourney(() => running.server);
registerQuantityJourney(() => running.server);
registerRoundTripsJourney(gateways);
