import { implementService } from '../protocol/service-implementation.ts';
import { startRpcServer } from '../server/start-rpc-server.ts';
import { TestService, testContract } from './rpc-tests.ts';

const service = new TestService(key => process.send?.({ key }));
const services = [implementService(testContract, service)];
const server = await startRpcServer({ insecure: true, services, port: 0 });
process.send?.(server.port);
