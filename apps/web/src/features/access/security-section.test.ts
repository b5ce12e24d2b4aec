import { expect, test } from 'vitest';
import { describeEventDetail, nameSecurityEvent } from './security-section.tsx';

test('kinds of events have words, unknown ones are shown as they are', () => {
  expect(nameSecurityEvent({ kind: 'locked-out' })).toBe('Sign-in blocked for 15 minutes');
  expect(nameSecurityEvent({ kind: 'of a newer server' })).toBe('of a newer server');
});

test.each([
  ['settings-changed', 'draftMode: false, oneDriveFolder', 'Safe Mode (Draft Only): off, Watch folder path'],
  ['settings-changed', 'batchSize: 50', 'Batch Size: 50'],
  ['settings-changed', 'Barcode Lookup: on', 'Barcode Lookup: on'],
  ['credentials-saved', 'Key of UPCitemdb', 'Key of UPCitemdb'],
  ['signed-in', null, ''],
])('details of %s %s', (kind, detail, words) => {
  expect(describeEventDetail({ kind, detail })).toBe(words);
});
