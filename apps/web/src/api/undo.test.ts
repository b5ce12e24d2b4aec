import { expect, it } from 'vitest';
import { CallError } from './call.ts';
import { isNothingToUndo } from './undo.ts';

it('tells refusals of an undo that no later try can change', () => {
  const refused = (status: number, code: string) => new CallError(status, code, null, { body: { code } });
  expect(isNothingToUndo(refused(409, 'nothing_to_undo'))).toBe(true);
  expect(isNothingToUndo(refused(404, 'not_found'))).toBe(true);
  expect(isNothingToUndo(refused(409, 'busy'))).toBe(false);
  expect(isNothingToUndo(refused(409, 'conflict'))).toBe(false);
  expect(isNothingToUndo(new Error('no reply'))).toBe(false);
});
