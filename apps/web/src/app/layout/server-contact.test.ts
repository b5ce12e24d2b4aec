import { expect, test } from 'vitest';
import { CallError, NoReplyError } from '../../api/call.ts';
import { classifyCallEvent } from './server-contact.ts';

test('any reply of the server is a sign of life, also a refusal', () => {
  expect(classifyCallEvent({ type: 'success' })).toBe('replied');
  expect(classifyCallEvent({ type: 'error', error: new CallError(409, 'Conflict', null) })).toBe('replied');
});

test('a call without a reply means that the connection is lost', () => {
  expect(
    classifyCallEvent({ type: 'error', error: new NoReplyError(new TypeError('Failed to fetch')) }),
  ).toBe('lost');
});

test('what no server has said tells nothing', () => {
  expect(classifyCallEvent({ type: 'success', manual: true })).toBeNull();
  expect(classifyCallEvent({ type: 'fetch' })).toBeNull();
  expect(
    classifyCallEvent({ type: 'error', error: new DOMException('left the page', 'AbortError') }),
  ).toBeNull();
  expect(classifyCallEvent({ type: 'error', error: new TypeError('a bug') })).toBeNull();
});
