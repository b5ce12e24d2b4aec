import { expect, test } from 'vitest';

type Bootstrap = { lackOf(platform: string, glibc: string | undefined): string | null };

// By its address, because plain JavaScript has no types here.
const { lackOf } = (await import(new URL('./bootstrap.mjs', import.meta.url).href)) as Bootstrap;

test.each([
  ['Windows', 'win32', undefined, /^Windows lacks .* or in WSL\.$/],
  ['Alpine', 'linux', undefined, /^This Linux lacks glibc/],
  ['Debian', 'linux', '2.36', null],
  ['macOS', 'darwin', undefined, null],
])('%s is refused with what it lacks, or installed on', (_system, platform, glibc, sentence) => {
  const lack = lackOf(platform, glibc);
  if (sentence === null) expect(lack).toBeNull();
  else expect(lack).toMatch(sentence);
});
