import { switchFlag, textFlag, textsFlag } from '../arguments/flag.ts';
import { formatGroupVersion, fullResourceName, type ResourceType } from '../discovery/resource-type.ts';
import { columnsText } from '../output/columns.ts';
import { errorText, UsageError } from '../output/errors.ts';
import { outputForm } from '../output/output-form.ts';
import { defineCommand } from './command.ts';
import { outputFlag } from './output-flag.ts';

/** Shows the types that the server serves. */
export const apiResources = defineCommand({
  name: 'api-resources',
  usage: '',
  summary: 'Shows the types that the server serves, in the preferred version of each group.',
  examples: [
    'api-resources',
    'api-resources --namespaced=true -o name',
    'api-resources --api-group=apps --verbs=list,watch',
  ],
  flags: {
    namespaced: textFlag('only namespaced types; false for cluster-scoped types', {
      placeholder: 'true|false',
      bare: 'true',
    }),
    apiGroup: textFlag('only types of one group; empty for the core group'),
    verbs: textsFlag('only types that have all of these verbs'),
    categories: textsFlag('only types that are in all of these categories'),
    output: outputFlag(['wide', 'name']),
    noHeaders: switchFlag('no header line'),
  },
  async run({ flags, words, open, terminal }) {
    if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
    const { namespaced } = flags;
    if (namespaced !== undefined && namespaced !== 'true' && namespaced !== 'false')
      throw new UsageError(`--namespaced must be true or false, not "${namespaced}"`);
    const form = outputForm(flags.output, ['wide', 'name']);
    const { types, failure } = await open().discovery.served();
    const shown = preferredTypes(types)
      .filter(type => namespaced === undefined || String(type.namespaced) === namespaced)
      .filter(type => flags.apiGroup === undefined || type.group === flags.apiGroup)
      .filter(type => flags.verbs.every(verb => type.verbs.includes(verb)))
      .filter(type => flags.categories.every(category => type.categories.includes(category)));
    if (form === 'name') await terminal.out(shown.map(type => `${fullResourceName(type)}\n`).join(''));
    else await terminal.out(tableText(shown, { wide: form === 'wide', headers: !flags.noHeaders }));
    if (failure === undefined) return 0;
    terminal.err(`${errorText(failure)}\n`);
    return 1;
  },
});

/** Each type once, by group and name. A type that only another version of its group has is shown in that one. */
function preferredTypes(types: readonly ResourceType[]): ResourceType[] {
  const byName = new Map<string, ResourceType>();
  for (const type of types) if (!byName.has(fullResourceName(type))) byName.set(fullResourceName(type), type);
  return [...byName.values()].toSorted(
    (a, b) => compare(a.group, b.group) || compare(a.resource, b.resource),
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function tableText(
  types: readonly ResourceType[],
  { wide, headers }: { readonly wide: boolean; readonly headers: boolean },
): string {
  const header = [
    'NAME',
    'SHORTNAMES',
    'APIVERSION',
    'NAMESPACED',
    'KIND',
    ...(wide ? ['VERBS', 'CATEGORIES'] : []),
  ];
  const lines = types.map(type => [
    type.resource,
    type.shortNames.join(','),
    formatGroupVersion(type),
    String(type.namespaced),
    type.kind,
    ...(wide ? [type.verbs.join(','), type.categories.join(',')] : []),
  ]);
  return columnsText(headers ? [header, ...lines] : lines);
}
