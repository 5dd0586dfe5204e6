import type { Command } from './command.ts';
import { get, list } from './get.ts';
import { watch } from './watch.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [get, list, watch];
