import { durationFlag, flagGroup, historyWindowFlag, integerFlag } from '@binnacle/flags';

/** The flags of the duties besides the store, most of which the leader among the pods performs. */
export const leaderFlags = flagGroup('Leader election', {
  historyWindow: historyWindowFlag('Time for which earlier revisions can be read and watches can resume.'),
  leaderLease: durationFlag({
    description: 'Time after which a leader that does not renew its lease is replaced.',
    default: 6000,
    min: 2000,
  }),
  maxChangeStreams: integerFlag({
    description:
      'Streams of changes that a pod serves at once, for readers without Kafka; four times as many of control types alone.',
    default: 64,
    min: 1,
  }),
});
