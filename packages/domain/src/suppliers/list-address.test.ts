import { expect, test } from 'vitest';
import { readListAddress, signInFault } from './list-address.ts';

const sheet = 'https://docs.google.com/spreadsheets/d/1AbC-dEf_1234567890';

test.each<[string, string, string]>([
  [
    'https://shop.example.com/a/list.csv',
    'https://shop.example.com/a/list.csv',
    'https://shop.example.com/a/list.csv',
  ],
  [
    'https://example.com/x?token=secret#part',
    'https://example.com/x?token=secret',
    'https://example.com/x?…',
  ],
  [' HTTPS://Example.com:8443/x ', 'https://example.com:8443/x', 'https://example.com:8443/x'],
  [`${sheet}/edit?usp=sharing`, `${sheet}/export?format=csv`, 'Google Sheet'],
  [`${sheet}/edit?gid=3#gid=42`, `${sheet}/export?format=csv&gid=42`, 'Google Sheet'],
  [
    'https://docs.google.com/spreadsheets/u/1/d/1AbC-dEf_1234567890/edit',
    `${sheet}/export?format=csv`,
    'Google Sheet',
  ],
  [
    'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pubhtml?gid=5&single=true',
    'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv&gid=5',
    'Google Sheet',
  ],
  ['sftp://example.com/out/*.csv', 'sftp://example.com/out/*.csv', 'sftp://example.com/out/*.csv'],
])('%s is fetched as %s', (entered, url, shown) => {
  expect(readListAddress(entered)).toMatchObject({ ok: true, address: { url, shown } });
});

test.each([
  ['list.csv', 'Enter an address that begins with https:// or sftp://.'],
  ['file:///etc/passwd', 'Enter an address that begins with https:// or sftp://.'],
  [
    'ftp://example.com/list.csv',
    'FTP sends passwords unencrypted, so it isn’t supported. Ask for an https or sftp address.',
  ],
  [
    'https://ada:secret@example.com/list.csv',
    'Enter the user name and the password in their own fields, not in the address.',
  ],
  ['sftp://example.com/out/', 'Enter the path of the file, too.'],
  [`https://example.com/${'a'.repeat(2_000)}`, 'The address is too long.'],
])('%s is refused', (entered, sentence) => {
  expect(readListAddress(entered)).toEqual({ ok: false, sentence });
});

test('a sign-in fits its address, and sets no header of the connection', () => {
  const header = (name: string, value = 'x') => signInFault({ kind: 'header', name, value }, { kind: 'web' });
  expect(header('Authorization')).toBeNull();
  expect([header('Host'), header('if-none-match'), header('a b')]).not.toContain(null);
  expect(header('X-Key', 'a\r\nHost: b')).toBe(
    'The value of a header can have only plain English characters.',
  );
  expect(signInFault({ kind: 'none' }, { kind: 'sftp' })).toMatch(/^An sftp address needs a user name/);
  expect(signInFault({ kind: 'password', user: 'a', password: 'b' }, { kind: 'sheet' })).toMatch(
    /through its link/,
  );
});
