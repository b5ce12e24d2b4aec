import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseSealingKey, seal, unseal } from './sealing.ts';

const keyOf = () => parseSealingKey(randomBytes(32).toString('hex'));

test('a sealed text can be read with its key and service only', () => {
  const key = keyOf();
  const sealed = seal(key, 'shopify', 'shpat_secret “ü”');
  expect(unseal(key, 'shopify', sealed)).toBe('shpat_secret “ü”');
  expect(() => unseal(keyOf(), 'shopify', sealed)).toThrow();
  expect(() => unseal(key, 'other', sealed)).toThrow();
});

test('a changed text is refused', () => {
  const key = keyOf();
  const sealed = seal(key, 'shopify', 'shpat_secret');
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => unseal(key, 'shopify', changed)).toThrow();
  }
  expect(() => unseal(key, 'shopify', sealed.subarray(0, 20))).toThrow();
});

test('a sealed text begins with the version of its format, and one from before there were versions can be read', () => {
  const key = keyOf();
  expect(seal(key, 'shopify', 'text')[0]).toBe(1);
  // As it was sealed before, with every possible first byte of the random part.
  for (let first = 0; first < 256; first += 1) {
    const iv = Buffer.alloc(12, first);
    const cipher = createCipheriv('aes-256-gcm', key.key, iv);
    cipher.setAAD(Buffer.from('shopify'));
    const body = Buffer.concat([cipher.update('earlier', 'utf8'), cipher.final()]);
    expect(unseal(key, 'shopify', Buffer.concat([iv, cipher.getAuthTag(), body]))).toBe('earlier');
  }
});

test('the same text is never sealed the same way, and the id does not reveal the key', () => {
  const key = keyOf();
  expect(seal(key, 's', 'a').equals(seal(key, 's', 'a'))).toBe(false);
  expect(key.key.toString('hex')).not.toContain(key.id);
});

test.each(['', 'ab', 'x'.repeat(64), 'a'.repeat(66)])('%j is not a key', (text) => {
  expect(() => parseSealingKey(text)).toThrow('64 hexadecimal digits');
});
