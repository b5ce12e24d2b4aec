import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** A key of AES-256, and an id that identifies it without revealing it. */
export type SealingKey = { id: string; key: Buffer };

/** The key that values are sealed with, and the previous one, with which they may still be read after a rotation. */
export type SealingKeys = { current: SealingKey; old: SealingKey | null };

const algorithm = 'aes-256-gcm';
/** The sizes that NIST SP 800-38D recommends for GCM. */
const ivBytes = 12;
const tagBytes = 16;
const idChars = 16;
/** The first byte of a sealed value: this algorithm, then iv, tag and text. */
const format = Buffer.from([1]);

/** The sealing key of 64 hexadecimal digits (32 bytes). Throws if there are more or fewer. */
export function sealingKeyOf(hex: string): SealingKey {
  const key = Buffer.from(hex, 'hex');
  if (key.length !== 32) throw new Error('A sealing key has 64 hexadecimal digits');
  return { id: createHash('sha256').update(key).digest('hex').slice(0, idChars), key };
}

/** Encrypts a text for a service. Only `unseal` with the same key and service can read it. */
export function seal({ key }: SealingKey, service: string, text: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv);
  cipher.setAAD(Buffer.from(service));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([format, iv, cipher.getAuthTag(), body]);
}

/** Decrypts a sealed text. Throws if it was changed, or sealed with another key or for another service. */
export function unseal(key: SealingKey, service: string, sealed: Buffer): string {
  if (sealed[0] !== format[0]) return decrypt(key, service, sealed);
  try {
    return decrypt(key, service, sealed.subarray(format.length));
  } catch {
    // Sealed before there were versions, with a random first byte that happens to be one.
    return decrypt(key, service, sealed);
  }
}

function decrypt({ key }: SealingKey, service: string, sealed: Buffer): string {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(service));
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  const body = sealed.subarray(ivBytes + tagBytes);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
