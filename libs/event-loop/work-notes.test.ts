import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorkNotes } from './work-notes.ts';

const request = (path: string) => ({ method: 'GET', path, auditId: path, user: { username: 'u' } });

/** Creates notes with a clock that the test advances. */
function handTurned() {
  let time = 0;
  return { notes: createWorkNotes(() => time), pass: (ms: number) => (time += ms) };
}

test('the longest stretch between two notes is attributed to the request that began it', async () => {
  const { notes, pass } = handTurned();
  await notes.run(request('/a'), async () => {
    pass(5);
    await Promise.resolve();
    notes.begin();
    pass(120);
  });
  notes.run(request('/b'), () => pass(90));
  const held = notes.takeLongest();
  assert.deepEqual([held?.holder.path, held?.milliseconds], ['/a', 120]);
  assert.equal(notes.takeLongest(), undefined);
});

test('the next stretch is announced once', () => {
  const { notes } = handTurned();
  let announced = 0;
  notes.onNext(() => announced++);
  notes.begin();
  notes.run(request('/a'), () => {});
  assert.equal(announced, 1);
});

test('a stretch that has not ended counts, and work without a note has no holder', () => {
  const { notes, pass } = handTurned();
  pass(500);
  assert.equal(notes.takeLongest(), undefined);
  notes.run(request('/a'), () => pass(7));
  assert.equal(notes.takeLongest()?.milliseconds, 7);
  pass(500);
  assert.equal(notes.takeLongest(), undefined);
});

test('work has its holder after an await, and no holder outside', async () => {
  const { notes } = handTurned();
  const holder = request('/a');
  await notes.run(holder, async () => {
    await new Promise(setImmediate);
    assert.equal(notes.current(), holder);
  });
  assert.equal(notes.current(), undefined);
});
