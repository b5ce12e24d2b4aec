/** FNV-1a with 32 bits over UTF-16 code units, http://www.isthe.com/chongo/tech/comp/fnv/ */
const fnvStart = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** The hash of a text, 0 to 2³² - 1. `seed`: texts with different ones have different hashes. */
export function hashText(text: string, seed = fnvStart): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), fnvPrime);
  return mixed(hash);
}

/**
 * The finalizer of MurmurHash3. Without it, texts that differ in their last characters have hashes that differ by a
 * multiple of the prime, and sums of hashes would cancel each other out.
 */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}

/** The hash of the ASCII letters and digits of a text, without regard to case; 0 if it has none. */
export function hashLetters(text: string): number {
  let hash = fnvStart;
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const lower = code >= upperA && code <= upperZ ? code + lowerA - upperA : code;
    if (!((lower >= lowerA && lower <= lowerZ) || (code >= digit0 && code <= digit9))) continue;
    letters += 1;
    hash = Math.imul(hash ^ lower, fnvPrime);
  }
  return letters === 0 ? 0 : mixed(hash);
}

const [digit0, digit9, upperA, upperZ, lowerA, lowerZ] = [48, 57, 65, 90, 97, 122];
