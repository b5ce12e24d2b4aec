import { expect, test } from 'vitest';
import { createCallError } from '../../api/call.ts';
import { loginFailure } from './auth-api.ts';

test('a failed login shows the message of the error, else the words of the specification', () => {
  const refused = createCallError(401, 'Unauthorized', '{"code":"wrong_key","message":"Wrong key."}');
  expect(loginFailure(refused)).toBe('401: Wrong key.');
  expect(loginFailure(createCallError(401, 'Unauthorized', ''))).toBe('401: Unauthorized');
  // HTTP/2 has no status texts.
  expect(loginFailure(createCallError(401, '', ''))).toBe('Authentication failed');
  expect(loginFailure(new Error(''))).toBe('Authentication failed');
});
