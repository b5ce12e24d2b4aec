import { expect, test } from 'vitest';
import { createQuickXorHash } from './quick-xor-hash.ts';

/** Known pairs of content and hash, both in Base64 (the test vectors that rclone publishes with its implementation). */
const known: readonly (readonly [content: string, hash: string])[] = [
  ['', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='],
  ['Sg==', 'SgAAAAAAAAAAAAAAAQAAAAAAAAA='],
  ['0pZP', '0rDEEwAAAAAAAAAAAwAAAAAAAAA='],
  ['J9iPGCbfZSTNyw==', 'J8DGIzBggm+UgQTNUgYAAAAAAAA='],
  ['gQaybEqS/4UlDc8e4IJm', 'gDCALNigBEn8oxAlZ8AzPAAOQZg='],
  ['T6LYJIfDh81JrAK309H2JMJTXis=', 'zBTHrspn3mEcohlJdIUAbjGNaNg='],
  [
    'ikwCorI7PKWz17EI50jZCGbV9JU2E8bXVfxNMg5zdmqSZ2NlsQPp0kqYIPjzwTg1MBtfWPg53k0h0P2naJNEVgrqpoHTfV2b3pJ4m0zYPTJmUX4Bg/lOxcnCxAYKU29Y5F0U8Quz7ZXFBEweftXxJ7RS4r6N7BzJrPsLhY7hgck=',
    'imAoFvCWlDn4yVw3/oq1PDbbm6U=',
  ],
];

test.each(known)('the hash of %s is %s, in one piece and byte by byte', (content, expected) => {
  const bytes = Buffer.from(content, 'base64');
  const whole = createQuickXorHash();
  whole.update(bytes);
  expect(whole.digest()).toBe(expected);
  const split = createQuickXorHash();
  for (const byte of bytes) split.update(Uint8Array.of(byte));
  expect(split.digest()).toBe(expected);
});

test('a changed byte, two swapped bytes and a missing end change the hash', () => {
  const hashOf = (bytes: Uint8Array) => {
    const hash = createQuickXorHash();
    hash.update(bytes);
    return hash.digest();
  };
  const bytes = Buffer.from('Title,Price\nVase,9.90\n'.repeat(50));
  const changed = Buffer.from(bytes);
  changed[700] = 0;
  const swapped = Buffer.from(bytes);
  swapped.set([bytes[1] as number, bytes[0] as number]);
  const hashes = [bytes, changed, swapped, bytes.subarray(0, -1)].map(hashOf);
  expect(new Set(hashes).size).toBe(4);
});
