import { apiResources } from './api-resources.ts';
import { apply } from './apply.ts';
import { backup, backupVerify } from './backup.ts';
import { canI } from './can-i.ts';
import type { Command } from './command.ts';
import { completion } from './completion.ts';
import { configCurrentContext, configGetContexts, configUseContext, configView } from './config.ts';
import { deleteCommand } from './delete.ts';
import { describe } from './describe.ts';
import { diff } from './diff.ts';
import { edit } from './edit.ts';
import { get, list } from './get.ts';
import { namesConvert } from './names-convert.ts';
import { restore } from './restore.ts';
import { secretsRewrite } from './secrets-rewrite.ts';
import { storeCompact, storeDefragment, storeDisarm, storeStatus } from './store.ts';
import { topFanout } from './top-fanout.ts';
import { verifyHistory } from './verify-history.ts';
import { version } from './version.ts';
import { wait } from './wait.ts';
import { watch } from './watch.ts';
import { whoami } from './whoami.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  get,
  list,
  watch,
  wait,
  describe,
  diff,
  apply,
  edit,
  deleteCommand,
  canI,
  whoami,
  apiResources,
  topFanout,
  backup,
  backupVerify,
  restore,
  namesConvert,
  secretsRewrite,
  verifyHistory,
  storeStatus,
  storeCompact,
  storeDefragment,
  storeDisarm,
  completion,
  version,
  configView,
  configCurrentContext,
  configGetContexts,
  configUseContext,
];
