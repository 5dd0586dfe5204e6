import type { CatchUpOutcome } from './catch-up-scheduler.ts';
import type { ChunkBudget } from './chunk-budget.ts';
import type { GroupWatcher } from './group-watcher.ts';
import type { WatchedReplica } from './watched-replica.ts';

/** A step runs only when the sink buffers at most this many bytes. */
const roomBytes = 32 * 1024;

/** The context of a catch-up step. */
interface CatchUpContext {
  readonly replica: WatchedReplica;
  readonly budget: ChunkBudget;
  readonly now: number;
  /** Time in ms without an accepted write after which a watch is slow. */
  readonly stallMs: number;
  /** Makes a caught-up watch a live member of its group. */
  join(watcher: GroupWatcher): void;
  /** Schedules the next step for when objects are prepared; ends the watch with `failed` if their preparation fails. */
  resumeAfter(ready: Promise<void>): void;
}

/** Advances a watch by one step: a chunk of its initial state, or a piece of the window. */
export function catchUpStep(watcher: GroupWatcher, context: CatchUpContext): CatchUpOutcome {
  if (watcher.state !== 'initial' && watcher.state !== 'replaying') return 'done';
  if (watcher.sink.buffered > roomBytes) {
    if (context.now - watcher.progressAt < context.stallMs) return 'blocked';
    watcher.end('slow');
    return 'done';
  }
  return watcher.state === 'initial' ? initialStep(watcher, context) : replayStep(watcher, context);
}

function initialStep(watcher: GroupWatcher, context: CatchUpContext): CatchUpOutcome {
  const { replica, budget, now } = context;
  if (watcher.initial === undefined) {
    const state = watcher.group.catchUp.initialState(replica, watcher.after, { budget, now });
    if (state === undefined) {
      watcher.progressAt = now;
      return 'blocked';
    }
    watcher.enterInitial(state);
  }
  const initial = watcher.initial!; // Entered above.
  const preparing = initial.state.prepare(initial.chunk);
  if (preparing !== undefined) return waitFor(watcher, preparing, context);
  const frames = initial.state.chunk(initial.chunk);
  if (frames !== undefined) {
    initial.chunk++;
    return writeFrames(watcher, frames, context);
  }
  watcher.after = initial.state.revision;
  watcher.leaveInitial();
  watcher.state = 'replaying';
  if (!watcher.closesInitial) return replayStep(watcher, context);
  return writeFrames(watcher, watcher.group.encoding.bookmark(watcher.after, true), context);
}

function replayStep(watcher: GroupWatcher, context: CatchUpContext): CatchUpOutcome {
  const { window } = context.replica;
  if (watcher.after < window.oldestRevision) {
    watcher.end('expired');
    return 'done';
  }
  const preparing = watcher.group.catchUp.prepareStep(window, watcher.after);
  if (preparing !== undefined) return waitFor(watcher, preparing, context);
  const { frames, upTo } = watcher.group.catchUp.replayStep(window, watcher.after);
  watcher.after = upTo;
  const isCaughtUp = upTo >= window.lastRevision;
  const outcome = writeFrames(watcher, frames, context);
  // A sink without room would be too slow for a live member: it drains first.
  if (!isCaughtUp || outcome !== 'again') return outcome;
  if (watcher.state === 'replaying') context.join(watcher);
  return 'done';
}

function waitFor(watcher: GroupWatcher, ready: Promise<void>, context: CatchUpContext): CatchUpOutcome {
  watcher.progressAt = context.now;
  context.resumeAfter(ready);
  return 'waiting';
}

function writeFrames(watcher: GroupWatcher, frames: Buffer, context: CatchUpContext): CatchUpOutcome {
  if (frames.length === 0) return 'again';
  watcher.progressAt = context.now;
  const hasRoom = watcher.write(frames);
  if (watcher.state === 'ended') return 'done'; // Writing can lead to a close.
  return hasRoom ? 'again' : 'blocked';
}
