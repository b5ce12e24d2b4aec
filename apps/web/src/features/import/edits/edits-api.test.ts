import { expect, it } from 'vitest';
import { CallError } from '../../../api/call.ts';
import { isNothingToUndo, undoCommands } from './edits-api.ts';

const refused = (status: number, code: string) => new CallError(status, code, null, { body: { code } });

it('tells refusals of an undo that no later try can change', () => {
  expect(isNothingToUndo(refused(409, 'nothing_to_undo'))).toBe(true);
  expect(isNothingToUndo(refused(404, 'not_found'))).toBe(true);
  expect(isNothingToUndo(refused(409, 'busy'))).toBe(false);
  expect(isNothingToUndo(refused(409, 'conflict'))).toBe(false);
  expect(isNothingToUndo(new Error('no reply'))).toBe(false);
});

it('undoes the last command first, and says which error stopped it after some', async () => {
  const undoing = (errors: Record<string, Error>) =>
    undoCommands(['a', 'b', 'c'], async (command) => {
      if (errors[command]) throw errors[command];
      return command;
    });
  const nothing = refused(409, 'nothing_to_undo');
  const busy = refused(409, 'busy');
  expect(await undoing({})).toEqual({ replies: ['c', 'b', 'a'], error: null });
  expect(await undoing({ b: nothing })).toEqual({ replies: ['c', 'a'], error: null });
  expect(await undoing({ b: busy })).toEqual({ replies: ['c'], error: busy });
  await expect(undoing({ c: busy })).rejects.toBe(busy);
  await expect(undoing({ a: nothing, b: nothing, c: nothing })).rejects.toThrow('Nothing was undone');
});
