import { type FlagValues, switchFlag } from '../arguments/flag.ts';
import { targetsFrom } from '../objects/targets.ts';
import { UsageError } from '../output/errors.ts';
import { outputFrom } from '../output/output-form.ts';
import { type CommandInput, defineCommand } from './command.ts';
import { chunkFlags, selectionFlags, writingFlags } from './read-flags.ts';
import { showObjects } from './show-objects.ts';
import { watchObjects } from './watch-objects.ts';

const flags = {
  ...writingFlags,
  ...selectionFlags,
  ...chunkFlags,
  watch: switchFlag('the objects, then every change', { short: 'w' }),
  watchOnly: switchFlag('every change from now on'),
  outputWatchEvents: switchFlag('the type of each change, with --watch'),
  ignoreNotFound: switchFlag('exit code 0 for names that do not exist'),
};

/** Shows objects. */
export const get = defineCommand({
  name: 'get',
  usage: '(TYPE[,TYPE] [NAME...] | TYPE/NAME...)',
  summary: 'Shows objects, once or with every change.',
  examples: [
    'get pods',
    'get deployments,services -n shop -o wide',
    'get configmap/settings -o yaml',
    'get pods -o jsonpath=\'{range .items[*]}{.metadata.name}{"\\n"}{end}\'',
    'get pods -o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName',
    "get secret mail -o go-template='{{.data.password | base64decode}}'",
    'get pods -A -l tier=front -w',
  ],
  flags,
  run,
});

/** Shows all objects of types. */
export const list = defineCommand({
  name: 'list',
  usage: 'TYPE[,TYPE]',
  summary: 'Shows all objects of types, as get does without names.',
  examples: ['list namespaces', 'list pods,services --all-namespaces'],
  flags,
  async run(input) {
    if (input.words.length !== 1 || input.words[0]?.includes('/'))
      throw new UsageError(
        'list accepts types separated by commas, and no names; use get for single objects',
      );
    return await run(input);
  },
});

async function run(input: CommandInput<typeof flags>): Promise<number> {
  checkFlags(input.flags, input.words);
  const output = outputFrom(input.flags);
  const session = input.open();
  const targets = await targetsFrom(input.words, session.discovery);
  return input.flags.watch || input.flags.watchOnly
    ? await watchObjects({ session, targets, output, flags: input.flags, fromNow: input.flags.watchOnly })
    : await showObjects({ session, targets, output, flags: input.flags });
}

function checkFlags(
  { selector, fieldSelector, allNamespaces }: FlagValues<typeof flags>,
  words: readonly string[],
): void {
  const hasNames = words.length > 1 || words.some(word => word.includes('/'));
  if (!hasNames) return;
  if (selector !== undefined || fieldSelector !== undefined)
    throw new UsageError('name cannot be provided when a selector is specified');
  if (allNamespaces) throw new UsageError('a resource cannot be retrieved by name across all namespaces');
}
