import { startKafka } from './kafka.ts';
import { hasLiveBroker } from './kafka-metadata.ts';
import { registerServerContractTests } from './server-contract.ts';

registerServerContractTests(startKafka, server => hasLiveBroker(server.port, AbortSignal.timeout(5_000)));
