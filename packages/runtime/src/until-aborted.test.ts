import { expect, test } from 'vitest';
import { untilAborted } from './until-aborted.ts';

test('the wait ends with the work, or with the reason of an abort, before or during it', async () => {
  const abort = new AbortController();
  await expect(untilAborted(Promise.resolve('done'), abort.signal)).resolves.toBe('done');
  await expect(untilAborted(Promise.reject(new Error('failed')), abort.signal)).rejects.toThrow('failed');
  const late = Promise.withResolvers<string>();
  const waiting = untilAborted(late.promise, abort.signal);
  abort.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(untilAborted(late.promise, abort.signal)).rejects.toThrow('stopped');
  // Nobody waits for it any more, so this must not count as unhandled.
  late.reject(new Error('too late'));
});
