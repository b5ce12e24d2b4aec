import { expect, test } from 'vitest';
import { createCallError } from '../../api/call.ts';
import { describeLoginFailure } from './auth-api.ts';

test('a failed login shows the message of the error, else the words of the specification', () => {
  const refused = createCallError(401, 'Unauthorized', '{"code":"wrong_key","message":"Wrong key."}');
  expect(describeLoginFailure(refused)).toBe('401: Wrong key.');
  expect(describeLoginFailure(createCallError(401, 'Unauthorized', ''))).toBe('401: Unauthorized');
  // HTTP/2 has no status texts.
  expect(describeLoginFailure(createCallError(401, '', ''))).toBe('Authentication failed');
  expect(describeLoginFailure(new Error(''))).toBe('Authentication failed');
});
