import { apply } from './apply.ts';
import type { Command } from './command.ts';
import { deleteCommand } from './delete.ts';
import { get, list } from './get.ts';
import { watch } from './watch.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [get, list, watch, apply, deleteCommand];
