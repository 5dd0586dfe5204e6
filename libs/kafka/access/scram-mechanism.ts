import type { Mechanism } from 'kafkajs';
import { loadKafkaJs } from '../kafkajs/load-kafkajs.ts';
import type { KafkaUser } from './kafka-connection.ts';

/**
 * Creates the SCRAM mechanism of a user, whose password is read for each authentication. kafkajs reports a connection
 * that breaks during the exchange as a refused password; this mechanism throws the original error.
 */
export function scramMechanism(user: KafkaUser): Mechanism {
  const { mechanism, username } = user;
  return {
    mechanism,
    authenticationProvider(args) {
      return {
        async authenticate() {
          const provide = loadKafkaJs().scram[mechanism]({ username, password: await user.password() });
          let failure: unknown;
          const exchange = provide({
            ...args,
            async saslAuthenticate(message) {
              try {
                return await args.saslAuthenticate(message);
              } catch (thrown) {
                failure = thrown;
                throw thrown;
              }
            },
          });
          try {
            await exchange.authenticate();
          } catch (thrown) {
            throw failure ?? thrown;
          }
        },
      };
    },
  };
}
