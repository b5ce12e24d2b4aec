import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** Iterations of PBKDF2, the default of Postgres. */
const iterations = 4096;

/** Returns Postgres' verifier of a password (RFC 5803), so that logged statements do not contain the password. */
export function createScramVerifier(password: string, salt = randomBytes(16)): string {
  const prepared = password.replace(nonAsciiSpaces, ' ').replace(mappedToNothing, '').normalize('NFKC');
  const salted = pbkdf2Sync(prepared, salt, iterations, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const server = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}

// Tables C.1.2 and B.1 of RFC 3454.
const nonAsciiSpaces = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g;
const mappedToNothing = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g;
