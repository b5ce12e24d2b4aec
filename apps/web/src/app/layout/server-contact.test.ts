import { expect, test } from 'vitest';
import { CallError, NoReplyError } from '../../api/call.ts';
import { readSignal } from './server-contact.ts';

test('any reply of the server is a sign of life, also a refusal', () => {
  expect(readSignal({ type: 'success' })).toBe('replied');
  expect(readSignal({ type: 'error', error: new CallError(409, 'Conflict', null) })).toBe('replied');
});

test('a call without a reply means that the connection is lost', () => {
  expect(readSignal({ type: 'error', error: new NoReplyError(new TypeError('Failed to fetch')) })).toBe(
    'lost',
  );
});

test('what no server has said tells nothing', () => {
  expect(readSignal({ type: 'success', manual: true })).toBeNull();
  expect(readSignal({ type: 'fetch' })).toBeNull();
  expect(readSignal({ type: 'error', error: new DOMException('left the page', 'AbortError') })).toBeNull();
  expect(readSignal({ type: 'error', error: new TypeError('a bug') })).toBeNull();
});
