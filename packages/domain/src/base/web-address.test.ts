import { expect, it } from 'vitest';
import { checkUrl, isLocalHost, isPublicAddress, notPublicMessage } from './web-address.ts';

/** The addresses of texts, with spaces between them. */
const addressesIn = (...texts: string[]) => texts.flatMap((text) => text.split(' '));

it.each([
  '',
  ...addressesIn(
    '0.0.0.0 10.0.0.1 100.127.255.255 127.0.0.1 168.63.129.16 169.254.169.254 172.31.255.255',
    '192.0.2.1 192.88.99.1 192.168.1.1 198.19.255.255 203.0.113.1 240.0.0.1 224.0.0.1 255.255.255.255',
    ':: ::1 fe80::1 fe80::1%eth0 2606:2800::1%eth0 fd00::1 ::ffff:8.8.8.8 64:ff9b::808:808 2001::1',
    '2002:808:: 2001:db8::1 2001:1ff::1 3fff:fff::1 4000::',
    'localhost 1.2.3 01.2.3.4 1.2.3.256',
  ),
])('%s is not on the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(
  addressesIn(
    '1.1.1.1 9.255.255.255 100.128.0.0 168.63.129.17 172.32.0.0 192.167.1.1 223.255.255.255',
    '2606:2800:220:1:248:1893:25c8:1946 2000:: 2001:200:: 2001:4860:4860::8888 3fff:1000:: 2a00::1',
  ),
)('%s is on the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it('refuses the addresses of a local network in a URL', () => {
  for (const url of [
    'http://2130706433/',
    'http://[::1]/',
    'http://nas/',
    'http://nas.local./x',
    'http://168.63.129.16/',
  ]) {
    expect(checkUrl(new URL(url))).toBe(notPublicMessage);
  }
  expect(checkUrl(new URL('https://cdn.example/a.jpg'))).toBeNull();
});

it.each(
  addressesIn('127.0.0.1:3000 192.168.1.5 [::1]:3000 203.0.113.9:80 localhost:3000 api:9100 nas.local'),
)('a website cannot have the host %s', (host) => expect(isLocalHost(host)).toBe(true));

it.each(['evil.example', 'evil.example:3000', '127.0.0.1.evil.example', 'evil.example.', '', 'a b'])(
  'a website can have the host %j, or nobody',
  (host) => expect(isLocalHost(host)).toBe(false),
);
