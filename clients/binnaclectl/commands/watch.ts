import { switchFlag } from '../arguments/flag.ts';
import { targetsFrom } from '../objects/targets.ts';
import { UsageError } from '../output/errors.ts';
import { outputFrom } from '../output/output-form.ts';
import { defineCommand } from './command.ts';
import { chunkFlags, selectionFlags, writingFlags } from './read-flags.ts';
import { watchObjects } from './watch-objects.ts';

/** Shows every change from now on. */
export const watch = defineCommand({
  name: 'watch',
  usage: '(TYPE [NAME] | TYPE/NAME)',
  summary: 'Shows every change of objects from now on; resumes after a broken connection.',
  examples: [
    'watch pods -n shop',
    'watch configmap settings -o yaml',
    'watch events -A --output-watch-events',
  ],
  flags: {
    ...writingFlags,
    ...selectionFlags,
    ...chunkFlags,
    outputWatchEvents: switchFlag('the type of each change'),
  },
  async run({ flags, words, open }) {
    const hasName = words.length > 1 || words.some(word => word.includes('/'));
    if (hasName && (flags.selector !== undefined || flags.fieldSelector !== undefined))
      throw new UsageError('name cannot be provided when a selector is specified');
    const output = outputFrom(flags);
    const session = open();
    const targets = await targetsFrom(words, session.discovery);
    return await watchObjects({ session, targets, output, flags, fromNow: true });
  },
});
