import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** A key of AES-256. `id` identifies the key without revealing it. */
export type SealingKey = { id: string; key: Buffer };

/** Purposes of credentials. Each purpose has its own key, so that a worker can read only what it needs. */
export const credentialPurposes = ['store', 'lookups', 'folders'] as const;
export type CredentialPurpose = (typeof credentialPurposes)[number];

/** The keys of each purpose that a process may read. The first key seals; the others only open older values. */
export type SealingKeys = Partial<Record<CredentialPurpose, readonly [SealingKey, ...SealingKey[]]>>;

const algorithm = 'aes-256-gcm';
/** The sizes that NIST SP 800-38D recommends for GCM. */
const ivBytes = 12;
const tagBytes = 16;
const idChars = 16;
/** First byte of a value sealed with this algorithm. Nonce, tag and text follow. */
const format = Buffer.from([1]);

const keyBytes = 32;

/** Derives the key of a purpose from the root key CREDENTIALS_KEY. Does not reveal the root key. Both keys are hex. */
export function deriveSealingKey(rootText: string, purpose: CredentialPurpose): string {
  const { key } = parseSealingKey(rootText);
  const derived = hkdfSync('sha256', key, Buffer.alloc(0), `draftshelf credentials: ${purpose}`, keyBytes);
  return Buffer.from(derived).toString('hex');
}

/** Returns the sealing key for 64 hexadecimal digits (32 bytes). Throws for another number of digits. */
export function parseSealingKey(hex: string): SealingKey {
  const key = Buffer.from(hex, 'hex');
  if (key.length !== keyBytes) throw new Error('A sealing key has 64 hexadecimal digits');
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

/** Decrypts a sealed text. Throws if the text was changed, or sealed with another key or for another service. */
export function unseal(key: SealingKey, service: string, sealed: Buffer): string {
  if (sealed[0] !== format[0]) return decrypt(key, service, sealed);
  try {
    return decrypt(key, service, sealed.subarray(format.length));
  } catch {
    // Values of earlier versions have no format byte, but their random first byte may equal the format byte.
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

/** Returns the purpose of a service. Services without a case here are sources of product data or the AI service. */
export function findServicePurpose(service: string): CredentialPurpose {
  if (service === 'shopify') return 'store';
  return /^(?:onedrive|feed:)/.test(service) ? 'folders' : 'lookups';
}

export const purposesByWorker = {
  'enrich-worker': 'lookups',
  'push-worker': 'store',
  'folder-worker': 'folders',
} as const satisfies Record<string, CredentialPurpose>;

/** Returns all keys of a process that has the root key. Root keys are included: earlier versions sealed with them. */
export function deriveAllSealingKeys(env: {
  CREDENTIALS_KEY?: string | undefined;
  CREDENTIALS_KEY_OLD?: string | undefined;
}): SealingKeys | null {
  const { CREDENTIALS_KEY: root, CREDENTIALS_KEY_OLD: old } = env;
  if (root === undefined) return null;
  const keysOf = (purpose: CredentialPurpose): readonly [SealingKey, ...SealingKey[]] => [
    parseSealingKey(deriveSealingKey(root, purpose)),
    parseSealingKey(root),
    ...(old === undefined ? [] : [parseSealingKey(deriveSealingKey(old, purpose)), parseSealingKey(old)]),
  ];
  return Object.fromEntries(credentialPurposes.map((purpose) => [purpose, keysOf(purpose)]));
}

/** Returns a worker's keys for one purpose. Null if SEALING_KEY is not set. */
export const parseWorkerKeys = (
  env: { SEALING_KEY?: string | undefined },
  purpose: CredentialPurpose,
): SealingKeys | null =>
  env.SEALING_KEY === undefined ? null : { [purpose]: [parseSealingKey(env.SEALING_KEY)] };

export const listKeyIds = (keys: SealingKeys | null): string[] =>
  Object.values(keys ?? {}).flatMap((ring) => ring.map(({ id }) => id));
